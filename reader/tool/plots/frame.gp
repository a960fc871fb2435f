# SPDX-License-Identifier: MIT
# What all pictures share.  'cgctab plot' writes a script of three parts: variables and data blocks
# ($name), this file, and the file of the picture, which goes to standard output.  Variables: form (png,
# svg, pdf), title.
if (form eq 'png') set terminal pngcairo size 1000,800 font 'sans,12' linewidth 1.4 dashlength 0.6
if (form eq 'svg') set terminal svg size 1000,800 font 'sans,14' background 'white' linewidth 1.4 \
    dashlength 0.6
if (form eq 'pdf') set terminal pdfcairo size 7in,5.6in font 'sans,11' linewidth 1.6 dashlength 0.6
set encoding utf8
set grid back lc rgb '#c0c0c0' lw 0.6
set style fill noborder
set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', \
    5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725')

# Panels lie below a row for the title and one for the legend, so that no legend covers a curve.
set label 1 title at screen 0.5,0.975 center noenhanced
set key at screen 0.5,0.925 center top horizontal samplen 4

polarisation(pol) = pol ? 'L' : 'T'
positive(v) = v > 0 ? v : NaN
at_least(v, least) = v > least ? v : least
at_most(v, most) = v < most ? v : most

# Colours that the colour-blind can tell apart (Okabe and Ito).
colour(i) = word('#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #999900', i + 1)
dashes(i) = int(word('1 2 4 5', i % 4 + 1))

# log_axis gives the commands for a logarithmic axis 'x', 'y' or 'cb', with ticks at mantissas as
# dense as so many decades allow.  Where `bare` is 1 the ticks of the x axis have no labels.
bare = 0
unless_bare(text) = bare ? '' : text
mantissas(decades) = decades < 1.2 ? '1 1.5 2 3 4 5 6 8' : decades < 4.5 ? '1 2 5' : '1'
power_of_ten(m, e) = m == 1 ? sprintf('10^{%d}', e) : sprintf('%g·10^{%d}', m, e)
tick_text(m, e) = m * 10.0**e > 0.0009 && m * 10.0**e < 9999 ? sprintf('%.4g', m * 10.0**e) : \
    power_of_ten(m, e)
tick_step(decades) = int(decades / 13) + 1
log_axis_of(axis, lo, hi, decades) = sprintf("set logscale %s; set %srange [%.9g:%.9g]; \
    set %stics (); set for [e = %d:%d:%d] for [m in '%s'] %stics \
    add (%s(tick_text(real(m), e)) m * 10.0**e)", axis, axis, lo, hi, axis, \
    tick_step(decades) * floor(log10(lo) / tick_step(decades)), ceil(log10(hi)), \
    tick_step(decades), mantissas(decades), axis, axis eq 'x' ? 'unless_bare' : '')
log_axis(axis, lo, hi) = log_axis_of(axis, lo, hi, log10(real(hi) / lo))
# Panels side by side have room for half as many ticks in x.
narrow_x_axis(lo, hi) = log_axis_of('x', lo, hi, 2 * log10(real(hi) / lo))

# Axes of slice and compare.  Variables: along, the name of the variable, its range x_lo, x_hi and
# x_label; by polarisation log_scale(pol), value_lo(pol), value_hi(pol) and negative(pol), 1 where
# values below 0 cannot be shown.
theta_axis = "set xrange [0:pi]; set xtics (unless_bare('0') 0, unless_bare('π/4') pi/4, \
    unless_bare('π/2') pi/2, unless_bare('3π/4') 3*pi/4, unless_bare('π') pi)"
linear_axis(lo, hi) = sprintf("unset logscale y; set yrange [%.9g:%.9g]; set ytics auto", lo, hi)
value_axis(pol) = log_scale(pol) ? log_axis('y', value_lo(pol), value_hi(pol)) : \
    linear_axis(value_lo(pol), value_hi(pol))
below_zero(pol) = negative(pol) ? 'values below 0 are not shown' : ''
