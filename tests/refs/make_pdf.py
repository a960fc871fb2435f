#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""x f(x, Q) of the grid NNPDF31_lo_as_0118_0000.dat (arXiv:1706.00428) as Pythia 8 reads it, which
interpolates by polynomials of four knots.

pip install pythia8mc; python3 make_pdf.py .../share/Pythia8/pdfdata > pdf.ref

Each line: x, Q in GeV, and x f of anti-u, anti-d, gluon, d, u, s, b."""
import os
import sys

import pythia8mc

grid = os.path.abspath(os.path.join(sys.argv[1], "NNPDF31_lo_as_0118_0000.dat"))
pythia = pythia8mc.Pythia("", False)
for line in ("Print:quiet = on", "Beams:eCM = 200", "HardQCD:all = on", "PartonLevel:all = off",
             "HadronLevel:all = off", "PDF:pSet = LHAGrid1:" + grid):
    pythia.readString(line)
pythia.init()
pdf = pythia.getPDFPtr(2212)
print("#", " ".join(__doc__.split("\n\n")[0].split()), "pythia8mc", pythia.settings.parm(
    "Pythia:versionNumber"))
for x in (3e-6, 1.1e-4, 0.0123, 0.087, 0.3, 0.62):
    for Q in (2, 6, 23, 91):
        values = (pdf.xf(i, x, Q * Q) for i in (-2, -1, 21, 1, 2, 3, 5))
        print(x, Q, *("%.12e" % v for v in values))
