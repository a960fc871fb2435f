# SPDX-License-Identifier: GPL-3.0-or-later
set key below
array hue[6] = ['#0b559f', '#d6604d', '#1b7837', '#e08214', '#762a83', '#444444']
do for [i=1:6] { set linetype i lc rgb hue[i] lw 1.5 }
