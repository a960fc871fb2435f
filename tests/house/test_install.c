/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other builds find the reader: an installation anywhere, by cgctab-config, pkg-config and CMake,
 * and the folder of `make dist-reader` as a part of a project. */
#include "command.h"
#include "run_suite.h"
#include "have.h"

#define TOP TESTS_DIR "/.."
#define BUILD_DIR BIN_DIR "/.."
/* That of the build, so that nothing is compiled again. */
#define MAKE                                                                                       \
    "make -s -C " TOP " BUILD=" BUILD_DIR " DATA_DIR=\"$(cat " BUILD_DIR "/obj/data_dir)\" "
#define EXAMPLES TOP "/reader/examples/"
/* A program that got the golden table and this point prints that value. */
#define TABLE TESTS_DIR "/golden/small.cgct"
#define POINT TABLE " 0.005 1.3 1.2 2 0.7 "
#define VALUE "| grep '^I_T = 6.6642464455e-02 '"

static void must(const char *command)
{
    int status = command_run(&place, command);
    ck_assert_msg(status == 0, "%s: status %d: %s", command, status, place.output);
}

/* With blanks in the names; a staged installation works where it is moved to, and is removed
 * as a whole. */
START_TEST(moved)
{
    must(MAKE "install DESTDIR=\"$PWD/a stage\" PREFIX='/opt/c g' >/dev/null && "
              "mv 'a stage/opt/c g' 'moved here'");
    must("PATH=\"$PWD/moved here/bin:$PATH\" && cd / && "
         "test \"$(cgctab-config --prefix)\" = \"$OLDPWD/moved here\" && "
         "test -r \"$(cgctab-config --datadir)/tables/mv.cgct\" && cd - && "
         "test \"$(cgctab-config --version)\" = \"$(cgctab --version | cut -d' ' -f2)\" && "
         "eval \"cc " EXAMPLES "evaluate.c $(cgctab-config --cflags --libs) -o by_config\" && "
         "./by_config " POINT VALUE);
    ck_assert_int_eq(command_run(&place, "'moved here/bin/cgctab-config' --nonsense"), 2);
    must("cd 'moved here' && ! grep -rIl -e stage -e 'c g' bin/cgctab-config lib/cmake "
         "lib/pkgconfig && test -L lib/libcgctab.so");
    if (have("pkg-config"))
        must("PKG_CONFIG_PATH='moved here/lib/pkgconfig' && export PKG_CONFIG_PATH && "
             "pkg-config --exists 'cgctab >= 2' && eval \"cc " EXAMPLES "evaluate.c "
             "$(pkg-config --cflags --libs cgctab) -o by_pkg_config\" && ./by_pkg_config " POINT
                 VALUE);
    must(MAKE "uninstall DESTDIR=\"$PWD\" PREFIX='/moved here' >/dev/null && "
              "test -z \"$(find 'moved here' -type f -o -type l -o -name 'cgctab*')\"");
}
END_TEST

/* A relative PREFIX counts from the folder of the sources. */
START_TEST(relative)
{
    must("make -n -C " TOP " BUILD=" BUILD_DIR " install-reader PREFIX='a b' >plan && "
         "grep -F \"mkdir -p \\\"$(cd " TOP " && pwd -P)/a b/\" plan");
}
END_TEST

START_TEST(cmake_installed)
{
    if (!have("cmake") || !have("g++")) return;
    must(MAKE "install-reader PREFIX=\"$PWD/in st\" >/dev/null");
    command_write(&place, "CMakeLists.txt",
                  "cmake_minimum_required(VERSION 3.13)\nproject(x CXX)\n"
                  "find_package(cgctab 2 REQUIRED)\nadd_executable(shared x.cpp)\n"
                  "target_link_libraries(shared cgctab::cgctab)\nadd_executable(static x.cpp)\n"
                  "target_link_libraries(static cgctab::cgctab_static)\n");
    must("sed 's/slice(1.5/slice(1.2/' " EXAMPLES "evaluate.cpp >x.cpp && cmake -S . -B cm "
         "-DCMAKE_PREFIX_PATH=\"$PWD/in st\" && MAKEFLAGS= cmake --build cm");
    must("mv 'in st/lib/libcgctab.so' . && cm/static " TABLE " >out && "
         "mv libcgctab.so 'in st/lib' && cm/shared " TABLE " | diff - out && grep -c . out");
    must("ldd cm/shared | grep -q libcgctab && ! ldd cm/static | grep libcgctab");
}
END_TEST

/* The folder to copy, alone and in a project of C++ that fetches it. */
START_TEST(cmake_folder)
{
    if (!have("cmake") || !have("g++")) return;
    must("make -s -C " TOP " BUILD=$PWD dist-reader-files && cmake -S dist-reader -B own "
         "-DCMAKE_BUILD_TYPE=Debug && MAKEFLAGS= cmake --build own && own/evaluate " POINT VALUE
         " && ls own/libcgctab.a own/libcgctab.so.2");
    command_write(&place, "CMakeLists.txt",
                  "cmake_minimum_required(VERSION 3.14)\nproject(x CXX)\ninclude(FetchContent)\n"
                  "FetchContent_Declare(cgctab SOURCE_DIR ${CMAKE_SOURCE_DIR}/dist-reader)\n"
                  "FetchContent_MakeAvailable(cgctab)\nadd_executable(shared x.cpp)\n"
                  "target_link_libraries(shared cgctab::cgctab)\nadd_executable(static x.cpp)\n"
                  "target_link_libraries(static cgctab::cgctab_static)\n");
    must("sed 's/slice(1.5/slice(1.2/' " EXAMPLES "evaluate.cpp >x.cpp && cmake -S . -B cm "
         "-DCMAKE_BUILD_TYPE=Debug && MAKEFLAGS= cmake --build cm && cm/static " TABLE " >out && "
         "cm/shared " TABLE " | diff - out && ldd cm/shared | grep -q libcgctab.so.2 && "
         "! ldd cm/static | grep libcgctab && ! ls cm/*/evaluate");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("install");
    TCase *c = tcase_create("install");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, moved);
    tcase_add_test(c, relative);
    tcase_add_test(c, cmake_installed);
    tcase_add_test(c, cmake_folder);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
