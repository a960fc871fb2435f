# SPDX-License-Identifier: GPL-3.0-or-later
# Ratio of the cross sections for three and for infinitely many colours.  Above: maps over (q,k1) at
# theta = pi/2, grey where the ratio is known to less than 1%.  Below: along q, beside the ratio of
# the gluon distributions F, which is the limit at large k1.
set terminal pngcairo size 1300,1100
set output 'j_colours.png'
set multiplot layout 2,2 margins 0.07,0.9,0.07,0.91 spacing 0.16,0.12 \
    title 'I for 3 colours over I for infinitely many, mv:mve, ε = 1 GeV; grey: known to worse than 1%' \
    noenhanced
known(p) = column(5+2*p) < 0.01 ? column(4+2*p) : NaN
set logscale xy
set xlabel 'q (GeV)'
set ylabel 'k_1 (GeV)'
set xrange [0.25:5.6]
set yrange [1:25]
set xtics (0.25, 0.5, 1, 2, 4)
set ytics (1, 2, 5, 10, 25)
set palette defined (0 '#053061', 1 '#4393c3', 2 'white', 3 '#d6604d', 4 '#67001f')
set logscale cb
set cbrange [1/1.6:1.6]
set cbtics (0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4)
set pm3d map
set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb 'gray80' fs solid noborder
do for [p=0:1] {
  set title (p ? 'L' : 'T').', θ = π/2'
  splot 'j_colours.dat' index 2 using 2:3:(known(p)) notitle
}
unset object 1
unset logscale y
set yrange [0.8:1.7]
set ytics 0.2
set ylabel 'ratio'
set key inside top left vertical Left reverse width -2
angle = '0 π/2 π'
do for [p=0:1] {
  set title (p ? 'L' : 'T')
  plot for [i=0:2] 'j_colours.dat' index 2*i every :::8::8 using 2:(known(p)) \
         with lines lc 1+i dt 2 title 'k_1 = 2.1 GeV, θ = '.word(angle,i+1), \
       for [i=0:2] 'j_colours.dat' index 2*i every :::35::35 using 2:(known(p)) \
         with lines lc 1+i title 'k_1 = 25 GeV, θ = '.word(angle,i+1), \
       'j_colours.dat' index 0 every :::35::35 using 2:8 with lines lc 'black' dt 3 lw 2.5 \
         title 'limit: ratio of F'
}
