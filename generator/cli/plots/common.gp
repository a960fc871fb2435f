# SPDX-License-Identifier: GPL-3.0-or-later
# What all pictures share: colours that the colour-blind can tell apart (Okabe and Ito), ticks, and
# one legend above all panels: titles go through once(), and panels end with `panel = panel + 1`.
set encoding utf8
set grid lc rgb '#c0c0c0' lw 0.6
array hue[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000', '#999900']
do for [i=1:8] { set linetype i lc rgb hue[i] lw 1.5 }
array dash[8] = [1, 2, 4, 5, 1, 2, 4, 5]
set key at screen 0.5,0.945 center top horizontal samplen 3
panel = 0
once(text) = panel ? '' : text
momentum_ticks = "set xtics (); set for [e=-3:3] for [m in '1 2 5'] xtics add \
    (sprintf('%g', m*10.0**e) m*10.0**e)"
