# SPDX-License-Identifier: MIT
# map, certificate, inner: two maps side by side, T and L.
# Variables: quantity, x_label, y_label; ranges x_lo, x_hi, y_lo, y_hi; note, a line below the title;
# crosses(pol), how many points $marked_T and $marked_L hold; colour_lo(pol), colour_hi(pol), the
# range of the colours: values below have none, unless diverging is 1: then 1 is white and values
# beyond the ends have the colours of the ends.
# Data: $grid with the columns x, y, T, L.
set multiplot layout 1,2 columnsfirst margins 0.09,0.89,0.12,(strlen(note) ? 0.85 : 0.9) \
    spacing 0.18,0
set label 2 note at screen 0.5,0.935 center
set view map
set pm3d corners2color geomean
unset key
set grid noxtics noytics
set object 1 rectangle from graph 0,0 to graph 1,1 front fillstyle empty border lc rgb 'black' lw 0.7
set object 2 rectangle from graph 0,0 to graph 1,1 behind fc rgb '#c0c0c0' fs solid noborder
set tics front out nomirror
# A map draws marks on the x axis twice as long as on the y axis.
set xtics scale 0.5 offset 0,(form eq 'svg' ? 1.5 : 1.3)
eval narrow_x_axis(x_lo, x_hi)
eval log_axis('y', y_lo, y_hi)
if (diverging) set palette defined (0 '#053061', 1 '#2166ac', 2 '#4393c3', 3 '#92c5de', 4 '#d1e5f0', \
    5 '#ffffff', 6 '#fddbc7', 7 '#f4a582', 8 '#d6604d', 9 '#b2182b', 10 '#67001f')
# Few ticks lie on a logarithmic axis from 1/hi to hi where hi is near 1: equal distances instead.
decade(v) = 10**floor(log10(v))
distance(v) = decade(v) * (v < 2 * decade(v) ? 1 : v < 5 * decade(v) ? 2 : 5)
ticks_about_1(d) = sprintf("; set cbtics (); set for [i = -3:3] cbtics add (sprintf('%%g', 1 + i * %g) \
    1 + i * %g)", d, d)
colour_axis(lo, hi) = diverging || hi > 5 * lo ? log_axis('cb', lo, hi).\
    (diverging && hi < 1.7 ? ticks_about_1(distance((hi - 1) / 2)) : '') : \
    sprintf('set cbrange [%.9g:%.9g]', lo, hi)
coloured(v, pol) = v > (diverging ? 0 : 0.999 * colour_lo(pol)) ? v : NaN
set xlabel x_label offset 0,(form eq 'svg' ? 1.5 : 1)
set ylabel y_label
do for [pol = 0:1] {
    eval colour_axis(colour_lo(pol), colour_hi(pol))
    set title quantity.', '.polarisation(pol) offset 0,-0.5
    if (crosses(pol)) {
        splot $grid using 1:2:(coloured(column(3 + pol), pol)) with pm3d, \
            '$marked_'.polarisation(pol) using 1:2:(1) with points pt 2 ps 0.6 lw 1.2 lc rgb 'black'
    } else {
        splot $grid using 1:2:(coloured(column(3 + pol), pol)) with pm3d
    }
    unset label 1
    unset label 2
    unset ylabel
}
unset multiplot
