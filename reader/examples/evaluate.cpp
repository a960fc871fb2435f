/* SPDX-License-Identifier: MIT */
/* evaluate FILE: prints a line of k1 at fixed x, eps, q.
 * c++ evaluate.cpp $(cgctab-config --cflags --libs) -o evaluate */
#include <cgctab.hpp>

#include <cstdio>

int main(int argc, char **argv)
{
    if (argc != 2) return std::fputs("usage: evaluate FILE\n", stderr), 2;
    try {
        cgctab::table table(argv[1]);
        cgctab::slice slice(table, 0.005, 1);
        std::printf("dipole: %s\n", table.meta("dipole").c_str());
        for (int i = 1; i <= 5; i++) {
            cgctab::values v = slice(1.5, 1 + 0.4 * i, 1);
            std::printf("%6.2f %16.8e %16.8e\n", 1 + 0.4 * i, v[CGCT_T], v[CGCT_L]);
        }
    } catch (const cgctab::error &e) {
        std::fprintf(stderr, "evaluate: %s\n", e.what());
        return 1;
    }
    return 0;
}
