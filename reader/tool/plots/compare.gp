# SPDX-License-Identifier: MIT
# compare: two tables along one variable; T left, L right, their ratio below.
# Variables: those of frame.gp for axes; first, second: titles of the curves; by polarisation far(pol), 1
# where ratios are too different for a linear axis, and the frame ratio_lo(pol), ratio_hi(pol).
# Data: $c0, $c1 as of slice.gp; $r: the variable, second/first - 1 of T and L, the sum of the
# bounds over the first of both.
set multiplot layout 2,2 columnsfirst margins 0.13,0.97,0.09,0.85 spacing 0.17,0.04
set key at screen 0.3,0.945
do for [pol = 0:1] {
    bare = 1
    eval (along eq 'theta' ? theta_axis : narrow_x_axis(x_lo, x_hi))
    eval value_axis(pol)
    set xlabel ''
    set ylabel 'I_'.polarisation(pol).' (GeV^{-6})'
    set label 3 below_zero(pol) at graph 0.02,0.06 front
    plot $c0 using 1:2 + pol with lines lw 2 lc rgb colour(0) \
            title (pol ? '' : first) noenhanced, \
        $c1 using 1:2 + pol with lines lw 2 dt 2 lc rgb colour(1) \
            title (pol ? '' : second) noenhanced
    unset label 1
    unset label 3
    set key at screen 0.72,0.945
    bare = 0
    eval (along eq 'theta' ? theta_axis : narrow_x_axis(x_lo, x_hi))
    if (far(pol)) {
        eval log_axis('y', ratio_lo(pol), ratio_hi(pol))
    } else {
        unset logscale y
        set yrange [ratio_lo(pol):ratio_hi(pol)]
        set ytics auto
        set format y '%.2g'
    }
    set xlabel x_label
    set ylabel 'second / first'.(far(pol) ? '' : ' - 1')
    plot $r using 1:(at_least(far(pol) - column(4 + pol), ratio_lo(pol))):\
            (at_most(far(pol) + column(4 + pol), ratio_hi(pol))) \
            with filledcurves fc rgb colour(0) fs transparent solid 0.3 \
            title (pol ? '' : 'sum of the error bounds'), \
        $r using 1:(column(2 + pol) + far(pol)) with lines lw 2 lc rgb colour(1) notitle, \
        far(pol) with lines lc rgb '#808080' notitle
}
unset multiplot
