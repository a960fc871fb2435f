# SPDX-License-Identifier: MIT
# map, certificate, inner: two maps side by side, T and L.
# Variables: quantity, x_label, y_label; ranges x_lo, x_hi, y_lo, y_hi, colour_lo, colour_hi; note, a
# line below the title; crosses(pol), how many points $marked_T and $marked_L hold.
# Data: $grid with the columns x, y, T, L.
set multiplot layout 1,2 columnsfirst margins 0.09,0.89,0.12,(strlen(note) ? 0.85 : 0.9) \
    spacing 0.18,0
set label 2 note at screen 0.5,0.925 center
set view map
set pm3d corners2color mean
unset key
set grid noxtics noytics
set object 1 rectangle from graph 0,0 to graph 1,1 front fillstyle empty border lc rgb 'black' lw 0.7
set tics front out nomirror
# A map draws marks on the x axis twice as long as on the y axis.
set xtics scale 0.5 offset 0,(form eq 'svg' ? 1.5 : 1.3)
eval narrow_x_axis(x_lo, x_hi)
eval log_axis('y', y_lo, y_hi)
if (colour_hi > 5 * colour_lo) eval log_axis('cb', colour_lo, colour_hi)
if (colour_hi <= 5 * colour_lo) set cbrange [colour_lo:colour_hi]
set xlabel x_label offset 0,(form eq 'svg' ? 1.5 : 1)
set ylabel y_label
do for [pol = 0:1] {
    set title quantity.', '.polarisation(pol) offset 0,-0.5
    if (crosses(pol)) {
        splot $grid using 1:2:(positive(column(3 + pol))) with pm3d, \
            '$marked_'.polarisation(pol) using 1:2:(1) with points pt 2 ps 0.6 lw 1.2 lc rgb 'black'
    } else {
        splot $grid using 1:2:(positive(column(3 + pol))) with pm3d
    }
    unset label 1
    unset label 2
    unset ylabel
}
unset multiplot
