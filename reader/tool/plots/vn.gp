# SPDX-License-Identifier: MIT
# vn: v_2 above v_4 against q, one colour for each K; T solid, L dashed.
# Variables: note, a line below the title; curves, how many; legend[i]; members, 1 where there are
# several; soft, 1 where there are curves $s0, $s1 ... with soft gluons: q, v_2 of T and L, v_4; x_hi.
# Data: $c0, $c1, ... with the columns q, v_2 of T and L, v_4 of T and L, their bounds, and of members
# the lower and the upper ends of their ranges.
set multiplot layout 2,1 columnsfirst margins 0.12,0.96,0.09,0.85 spacing 0.12,0.04
set label 2 note at screen 0.5,0.942 center
set key at screen 0.5,0.905
set xrange [0:x_hi]
set format x ''
do for [n = 0:1] {
    set ylabel 'v_'.(2 + 2 * n).' = ⟨cos '.(2 + 2 * n).'φ⟩'
    if (n) { set format x; set xlabel 'q (GeV)' }
    plot for [i = 0:curves * members - 1] for [c = 2 + 2 * n:3 + 2 * n] '$c'.i \
            using 1:8 + c:12 + c with filledcurves fc rgb colour(i) \
            fs transparent solid 0.15 notitle, \
        for [i = 0:curves - 1] for [c = 2 + 2 * n:3 + 2 * n] '$c'.i \
            using 1:(column(c) - column(4 + c)):(column(c) + column(4 + c)) \
            with filledcurves fc rgb colour(i) fs transparent solid 0.3 notitle, \
        for [i = 0:curves - 1] for [c = 2 + 2 * n:3 + 2 * n] '$c'.i using 1:c with lines lw 2 \
            lc rgb colour(i) dt 1 + c % 2 title (n || c % 2 ? '' : legend[i + 1]), \
        for [i = 0:curves - 1] for [c = 2 + 2 * n:3 + 2 * n] (soft ? '$s' : '$c').i \
            using 1:(soft ? column(c) : NaN) with lines lw 1 \
            lc rgb colour(i) dt 1 + c % 2 notitle, \
        0 with lines lc rgb '#808080' lw 0.6 notitle
    unset label 1
    unset label 2
}
unset multiplot
