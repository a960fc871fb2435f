#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gallery.sh BIN OUT: the page OUT with pictures of the shipped tables, each with what it shows and
# the command that draws it again.  The pictures are in the page.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?folder of the programs}" && pwd) out=${2:?name of the page}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$work/page
export CGCTAB_DATA_PATH=$here

# picture TITLE TEXT ARGUMENT...: of `cgctab plot`
picture() {
    local title=$1 text=$2
    shift 2
    "$bin/cgctab" plot "$@" -o "$work/p.png" --quiet 2>"$work/said" || {
        cat "$work/said" >&2
        exit 1
    }
    {
        printf '<figure>\n<h2>%s</h2>\n<img alt="%s" src="data:image/png;base64,' "$title" "$title"
        base64 -w 0 "$work/p.png"
        printf '">\n<figcaption>%s<pre>cgctab plot %s -o picture.png</pre></figcaption>\n' \
            "$text" "$*"
        echo '</figure>'
    } >>"$page"
}

cat >"$page" <<'END'
<!DOCTYPE html>
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>cgctab: pictures of the shipped tables</title>
<style>
body { margin: 0 auto; max-width: 1500px; padding: 1rem; background: #fcfcfa; color: #1b1f27;
  font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; }
main { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); }
figure { margin: 0; padding: .8rem; background: #fff; border: 1px solid #dcdfe4;
  border-radius: 10px; break-inside: avoid; }
h1 { font-size: 1.4rem; } h2 { margin: 0 0 .4rem; font-size: 1rem; } img { width: 100%; }
pre { white-space: pre-wrap; padding: .4rem .6rem; background: #f3f4f6; border-radius: 6px; }
</style>
</head>
<body>
<h1>Pictures of the shipped tables</h1>
<p>The cross section for two jets in deep-inelastic scattering at small x, I_T and I_L for
transverse and longitudinal photons without prefactor: q is the recoil of the pair, k1 the
momentum of one jet, theta the angle between both, K = k1 - q/2, and eps^2 = z(1-z) Q^2 + m^2.
Below each picture stands the command that draws it. <code>cgctab explore TABLE -o
page.html</code> makes a page in which x, eps and the momenta can be moved.</p>
<main>
END
picture 'The angle between the pair and its recoil' \
    'I depends on the angle, the more so the larger q is. The dark band is the bound on the error,
the light one the range of the members, which is the uncertainty of the dipole.' \
    slice proton --along theta --x 0.001 --eps 1 --q 1,2,4 --k1 4
picture 'The recoil' \
    'I falls with q. Smaller x means more evolution, and a larger saturation momentum.' \
    slice proton --along q --x 0.0001,0.001,0.009 --eps 1 --k1 4 --theta 1.5
picture 'Harmonics, without and with soft gluons' \
    'v_2 of longitudinal photons is large. Soft gluons reduce it, most where q is small.' \
    vn proton-mve --x 0.001 --eps 1 --K 3,6 --soft jets
picture 'A proton and a gold nucleus' \
    'I is a cross section per transverse area. The ratio is smallest at small q, where the nucleus
is saturated.' \
    compare proton gold --along q --x 0.001 --eps 1 --k1 4
picture 'Over q and k1' 'The mean over the angle falls over many orders of magnitude.' \
    map proton-mve --x 0.001 --eps 1
picture 'Where saturation matters' \
    'The ratio to the correlation limit with all kinematic twists: what differs from 1 is genuine
saturation.' \
    map proton-mve --ratio --x 0.001 --eps 1
picture 'How well the table is known' \
    'The bound on the error as a share of the mean of I over the angle.' \
    certificate proton-mve --x 0.001 --eps 1
picture 'Angular modes' \
    'How many modes the angle needs: few where k1 and q differ, many where k1 is near q/2.' \
    modes proton-mve --x 0.001 --eps 1 --q 2
printf '</main>\n</body>\n</html>\n' >>"$page"
cp "$page" "$out.part"
mv "$out.part" "$out"
echo "$out"
