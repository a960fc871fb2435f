# SPDX-License-Identifier: MIT
# slice: I_T above I_L along one variable, with bands of the error bound and of the members.
# Variables: those of frame.gp for axes; note, a line below the title; curves, how many; legend[i];
# soft, 1 where there are curves $s0, $s1 ... with soft gluons: the variable, I_T, I_L.
# band_lo(pol), below which a band does not reach on a logarithmic axis; members, 1 where there are
# several.
# Data: $c0, $c1, ... with the columns of the variable, I_T, I_L, the bounds of both, the bands that
# are drawn for them, and of members low_T, low_L, high_T, high_L.
set multiplot layout 2,1 columnsfirst margins 0.12,0.96,0.09,(curves > 1 ? 0.85 : 0.9) \
    spacing 0.12,0.04
set label 2 note at screen 0.5,0.942 center
do for [pol = 0:1] {
    bare = !pol
    eval (along eq 'theta' ? theta_axis : log_axis('x', x_lo, x_hi))
    eval value_axis(pol)
    set xlabel (bare ? '' : x_label)
    set ylabel 'I_'.polarisation(pol).' (GeV^{-6})'
    set label 3 below_zero(pol) at graph 0.02,0.06 front
    plot for [i = 0:curves * members - 1] '$c'.i \
            using 1:(at_least(column(8 + pol), band_lo(pol))):10 + pol \
            with filledcurves fc rgb colour(i) fs transparent solid 0.15 notitle, \
        for [i = 0:curves - 1] '$c'.i \
            using 1:(at_least(column(2 + pol) - column(6 + pol), band_lo(pol))):\
                (column(2 + pol) + column(6 + pol)) \
            with filledcurves fc rgb colour(i) fs transparent solid 0.3 notitle, \
        for [i = 0:curves - 1] '$c'.i using 1:2 + pol with lines lw 2 lc rgb colour(i) \
            dt dashes(i) title (pol ? '' : legend[i + 1]), \
        for [i = 0:curves - 1] (soft ? '$s' : '$c').i using 1:(soft ? column(2 + pol) : NaN) \
            with lines lw 1 lc rgb colour(i) notitle
    unset label 1
    unset label 2
}
unset multiplot
