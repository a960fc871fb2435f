# SPDX-License-Identifier: MIT
# modes: |I_m|/I_0 over m, one curve for each k; T above L.
# Variables: curves, how many; legend[i]; last, the largest m.
# Data: $c0, $c1, ... with the columns m, T, L.
set multiplot layout 2,1 columnsfirst margins 0.12,0.96,0.09,0.85 spacing 0.12,0.04
set logscale y
set format y '10^{%T}'
set xrange [0:last]
set yrange [*:2]
set format x ''
above_rounding(v) = v > 1e-14 ? v : NaN
do for [pol = 0:1] {
    set ylabel '|I_m| / I_0, '.polarisation(pol)
    plot for [i = 0:curves - 1] '$c'.i using 1:(above_rounding(column(2 + pol))) with linespoints \
        lw 1.5 pt 2 * i + 5 ps 0.6 lc rgb colour(i) title (pol ? '' : legend[i + 1])
    unset label 1
    set format x
    set xlabel 'm'
}
unset multiplot
