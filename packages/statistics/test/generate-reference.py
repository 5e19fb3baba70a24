#!/usr/bin/env python3
"""Makes reference.json: values that a statistics engine must reproduce.

Needs Python >= 3.9 with numpy, scipy, statsmodels and mpmath (any versions of 2022 or later), nothing else: no network, no files.
Where it can, a value is computed twice by independent routes (a library and a 50-digit computation, or two libraries) and the script stops
if they differ. Inputs are drawn with a fixed seed and rounded, so that they are exactly what the JSON says.
"""
import json, math, sys
import numpy as np
import scipy
from scipy import stats
import statsmodels
import statsmodels.api as sm
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.power import NormalIndPower, TTestIndPower
import mpmath as mp

mp.mp.dps = 50
rng = np.random.default_rng(20261122)
cases = []


def agree(a, b, what, rel=1e-9, abs_=1e-12):
    if not math.isclose(a, b, rel_tol=rel, abs_tol=abs_):
        sys.exit(f"{what}: {a!r} is not {b!r}")


def add(method, inp, exp, tol=1e-9, by=""):
    cases.append({"id": f"{method}_{sum(c['method'] == method for c in cases) + 1}", "method": method, "input": inp, "expected": exp,
                  "tolerance": tol, "computed_by": by})


def num(x):
    x = float(x)
    return None if not math.isfinite(x) else x


def moments(x):
    return {"n": int(len(x)), "sum": float(sum(mp.mpf(float(v)) for v in x)), "sumSquares": float(sum(mp.mpf(float(v)) ** 2 for v in x))}


def tquantile(alpha, df):
    """The value that Student's t exceeds with probability alpha / 2, by the incomplete beta function."""
    v = mp.mpf(float(df))
    return mp.findroot(lambda x: mp.betainc(v / 2, 0.5, 0, v / (v + x * x), regularized=True) / 2 - alpha / 2, (1, 3), solver="anderson", tol=1e-25)


def r_se(c, t):
    return math.sqrt(np.var(t, ddof=1) / len(t) + np.var(c, ddof=1) / len(c))


def draw(kind, n):
    if kind == "normal":
        v = rng.normal(rng.uniform(1, 50), rng.uniform(0.5, 10), n)
    elif kind == "lognormal":
        v = np.where(rng.random(n) < 0.35, rng.lognormal(2.5, 1.0, n), 0)
    elif kind == "poisson":
        v = rng.poisson(rng.uniform(0.3, 8), n).astype(float)
    else:
        v = (rng.random(n) < rng.uniform(0.05, 0.6)).astype(float)
    return np.round(v, 3)


KINDS = ["normal", "lognormal", "poisson", "binary"]
CONF = [0.8, 0.9, 0.95, 0.98, 0.99]

# 1. Two samples, unequal variances: Welch's t and the z test, two-sided and one-sided -----------------------------------------------
for i in range(24):
    kind = KINDS[i % 4]
    nc, nt = int(rng.integers(5, 60)), int(rng.integers(5, 60))
    if i >= 12:
        nc, nt = int(rng.integers(60, 250)), int(rng.integers(60, 250))
    c, t = draw(kind, nc), draw(kind, nt)
    if np.var(c) == 0 or np.var(t) == 0:
        c[0] += 1; t[0] += 1
    conf = CONF[i % 5]
    alpha = 1 - conf
    r = stats.ttest_ind(t, c, equal_var=False)
    cm = CompareMeans(DescrStatsW(t), DescrStatsW(c))
    tst, p, df = cm.ttest_ind(usevar="unequal")
    agree(r.statistic, tst, "t"); agree(r.pvalue, p, "p", 1e-7)
    # scipy's quantile was off by up to 1e-9 before 1.17.
    q = tquantile(1 - mp.mpf(str(conf)), df); lo, hi = (t.mean() - c.mean()) - float(q) * r_se(c, t), (t.mean() - c.mean()) + float(q) * r_se(c, t)
    for x, y in zip((lo, hi), cm.tconfint_diff(alpha=alpha, usevar="unequal")): agree(x, y, "interval", 1e-8)
    z, pz = cm.ztest_ind(usevar="unequal")
    zlo, zhi = cm.zconfint_diff(alpha=alpha, usevar="unequal")
    se = math.sqrt(np.var(t, ddof=1) / nt + np.var(c, ddof=1) / nc)
    add("two_sample", {"control": c.tolist(), "test": t.tolist(), "controlMoments": moments(c), "testMoments": moments(t), "confidence": conf},
        {"controlMean": num(c.mean()), "testMean": num(t.mean()), "controlStandardError": num(math.sqrt(np.var(c, ddof=1) / nc)),
         "testStandardError": num(math.sqrt(np.var(t, ddof=1) / nt)), "delta": num(t.mean() - c.mean()), "standardError": num(se),
         "degreesOfFreedom": num(df), "statistic": num(tst),
         "welch": {"p": num(p), "pGreater": num(stats.t.sf(tst, df)), "pLess": num(stats.t.cdf(tst, df)), "interval": [num(lo), num(hi)]},
         "z": {"p": num(pz), "pGreater": num(stats.norm.sf(z)), "pLess": num(stats.norm.cdf(z)), "interval": [num(zlo), num(zhi)]}},
        by="scipy ttest_ind(equal_var=False) = statsmodels CompareMeans(usevar='unequal')")

# 2. The same from moments alone, where the textbook sum of squares cancels: large means, large n ----------------------------------
for i in range(8):
    n = int(rng.integers(1000, 5000))
    base = [1e3, 1e5, 1e6, 1e7][i % 4]
    c = np.round(base + rng.normal(0, 1, n), 3); t = np.round(base + rng.normal(0.05, 1, n), 3)
    def exact(x):
        m = sum(mp.mpf(float(v)) for v in x) / len(x)
        return m, sum((mp.mpf(float(v)) - m) ** 2 for v in x) / (len(x) - 1)
    (mc, vc), (mt, vt) = exact(c), exact(t)
    seed = int(i + 1)
    add("cancellation", {"note": "n values base + k/1000 given as the histogram [k, count]", "base": base,
                         "control": [[int(k), int(v)] for k, v in zip(*np.unique(np.rint((c - base) * 1000).astype(int), return_counts=True))],
                         "test": [[int(k), int(v)] for k, v in zip(*np.unique(np.rint((t - base) * 1000).astype(int), return_counts=True))]} if i < 4 else
        {"note": "sums centred on base: how an engine should ask the database for them", "base": base, "n": n,
         "control": {"n": n, "sum": num(sum(mp.mpf(float(v)) - base for v in c)), "sumSquares": num(sum((mp.mpf(float(v)) - base) ** 2 for v in c))},
         "test": {"n": n, "sum": num(sum(mp.mpf(float(v)) - base for v in t)), "sumSquares": num(sum((mp.mpf(float(v)) - base) ** 2 for v in t))}},
        {"controlVariance": num(vc), "testVariance": num(vt), "delta": num(mt - mc), "standardError": num(mp.sqrt(vc / len(c) + vt / len(t)))}, 1e-6,
        "mpmath, 50 digits")

# 3. One sample against a fixed value ----------------------------------------------------------------------------------------------
for i in range(6):
    x = draw(KINDS[i % 4], int(rng.integers(8, 120)))
    if np.var(x) == 0: x[0] += 1
    fixed = round(float(x.mean() * rng.uniform(0.8, 1.2)), 3)
    r = stats.ttest_1samp(x, fixed); se = np.std(x, ddof=1) / math.sqrt(len(x)); z = (x.mean() - fixed) / se
    h = stats.norm.ppf(0.975) * se
    add("one_sample", {"values": x.tolist(), "fixed": fixed, "confidence": 0.95},
        {"delta": num(x.mean() - fixed), "t": num(r.statistic), "df": len(x) - 1, "pT": num(r.pvalue), "pZ": num(2 * stats.norm.sf(abs(z))),
         "zInterval": [num(x.mean() - fixed - h), num(x.mean() - fixed + h)]}, by="scipy ttest_1samp")

# 4. Relative lift: delta method, the simplified form, Fieller's exact interval ------------------------------------------------------
def fieller(mc, vc, mt, vt, z):
    """The set of r for which (mt - r mc)^2 <= z^2 (vt + r^2 vc); vc, vt are variances of the means, which are independent."""
    mc, vc, mt, vt, z = map(mp.mpf, (mc, vc, mt, vt, z))
    a, b, c = mc**2 - z**2 * vc, -2 * mc * mt, mt**2 - z**2 * vt
    g = z**2 * vc / mc**2
    if a <= 0:
        return g, None
    d = mp.sqrt(b * b - 4 * a * c)
    return g, ((-b - d) / (2 * a) - 1, (-b + d) / (2 * a) - 1)

for i in range(20):
    mc = round(float(rng.uniform(0.05, 60)) * (-1 if i == 19 else 1), 5); lift = float(rng.normal(0.03, 0.15)); mt = round(mc * (1 + lift), 5)
    sc = round(abs(mc) * float(rng.uniform(0.004, 0.2 if i < 14 else 0.8)), 6); st = round(sc * float(rng.uniform(0.8, 1.3)), 6)
    conf = CONF[i % 5]; z = mp.mpf(stats.norm.ppf(0.5 + conf / 2))
    z = mp.sqrt(2) * mp.erfinv(mp.mpf(str(conf)))
    f = lambda a, b: b / a
    da = mp.diff(f, (mc, mt), (1, 0)); db = mp.diff(f, (mc, mt), (0, 1))
    var = da**2 * mp.mpf(sc) ** 2 + db**2 * mp.mpf(st) ** 2
    g, fi = fieller(mc, mp.mpf(sc) ** 2, mt, mp.mpf(st) ** 2, z)
    sgn = 1 if mc > 0 else -1
    lift = (mp.mpf(mt) - mp.mpf(mc)) / abs(mp.mpf(mc))  # by the absolute value: an increase is positive also where the control mean is negative
    if fi is not None: fi = [sgn * x for x in fi]
    add("relative_lift", {"controlMean": mc, "controlStandardError": sc, "testMean": mt, "testStandardError": st, "confidence": conf},
        {"lift": num(lift), "liftPercent": num(100 * lift), "deltaStandardError": num(mp.sqrt(var)),
         "deltaInterval": [num(lift - z * mp.sqrt(var)), num(lift + z * mp.sqrt(var))],
         "simpleHalfWidth": num(z * mp.sqrt(mp.mpf(sc) ** 2 + mp.mpf(st) ** 2) / abs(mp.mpf(mc))),
         "fieller": {"g": num(g), "interval": None if fi is None else [num(min(fi)), num(max(fi))]}}, 1e-9,
        "mpmath 50 digits: derivatives by mpmath.diff, Fieller by the roots of its quadratic")

# 5. Ratio metrics: delta method, checked by the linearised residual and OLS with robust errors -------------------------------------
for i in range(16):
    n = int(rng.integers(30, 200))
    d = rng.poisson(rng.uniform(1, 6), n).astype(float) + (0 if i % 2 else 1); u = rng.uniform(0.1, 0.7)
    y = np.array([rng.binomial(int(k), u) for k in d]).astype(float) if i % 3 else np.round(d * rng.uniform(0.5, 3, n), 2)
    if d.sum() == 0: d[0] = 1
    R = y.sum() / d.sum(); ybar, dbar = y.mean(), d.mean()
    cov = np.cov(y, d, ddof=1)
    v = (cov[0, 0] / dbar**2 + cov[1, 1] * ybar**2 / dbar**4 - 2 * cov[0, 1] * ybar / dbar**3) / n
    e = (y - R * d) / dbar
    agree(v, np.var(e, ddof=1) / n, "ratio variance")
    fit = sm.WLS(np.where(d > 0, y / np.where(d > 0, d, 1), 0)[d > 0], np.ones((d > 0).sum()), weights=d[d > 0]).fit() if (y[d == 0] == 0).all() else None
    if fit is not None: agree(fit.params[0], R, "ratio by WLS")
    add("ratio", {"numerator": y.tolist(), "denominator": d.tolist()},
        {"n": n, "sumNumerator": num(y.sum()), "sumDenominator": num(d.sum()), "sumSquaresNumerator": num((y**2).sum()),
         "sumSquaresDenominator": num((d**2).sum()), "sumProducts": num((y * d).sum()), "ratio": num(R), "variance": num(v * n),
         "standardError": num(math.sqrt(v))}, by="numpy; delta method = variance of the linearised residual; mean = statsmodels WLS")

# 6. Proportions: unpooled Wald = z test with p(1-p), statsmodels -------------------------------------------------------------------
for i in range(12):
    nc, nt = int(rng.integers(50, 20000)), int(rng.integers(50, 20000))
    xc, xt = int(rng.binomial(nc, rng.uniform(0.02, 0.5))), int(rng.binomial(nt, rng.uniform(0.02, 0.5)))
    xc, xt = max(xc, 1), max(xt, 1)
    conf = CONF[i % 5]
    lo, hi = confint_proportions_2indep(xt, nt, xc, nc, method="wald", compare="diff", alpha=1 - conf)
    pc, pt = xc / nc, xt / nt
    se = math.sqrt(pc * (1 - pc) / nc + pt * (1 - pt) / nt); z = (pt - pc) / se
    seu = math.sqrt(pc * (1 - pc) / (nc - 1) + pt * (1 - pt) / (nt - 1))
    add("proportions", {"controlUnits": nc, "controlConversions": xc, "testUnits": nt, "testConversions": xt, "confidence": conf},
        {"delta": num(pt - pc), "standardErrorPopulation": num(se), "standardErrorSample": num(seu), "p": num(2 * stats.norm.sf(abs(z))),
         "interval": [num(lo), num(hi)]}, by="statsmodels confint_proportions_2indep(method='wald'); sample form divides by n-1, as moments do")

# 7. CUPED: pooled theta, two to four groups ----------------------------------------------------------------------------------------
for i in range(14):
    k = 2 + i % 3; groups = []
    for g in range(k):
        n = int(rng.integers(40, 160)); b = rng.gamma(2, 3, n); pre = np.round(b * rng.uniform(0.5, 1.5, n), 3)
        if i % 4 == 3: pre = np.where(rng.random(n) < 0.4, 0.0, pre)
        post = np.round(b * (1 + 0.05 * g) * rng.uniform(0.5, 1.5, n) + rng.normal(0, 0.4, n), 3)
        groups.append((pre, post))
    P = np.concatenate([a for a, _ in groups]); Y = np.concatenate([b for _, b in groups])
    theta = np.cov(Y, P, ddof=1)[0, 1] / np.var(P, ddof=1)
    agree(theta, sm.OLS(Y, sm.add_constant(P)).fit().params[1], "theta by OLS")
    # the within-group theta is the OLS slope with a dummy for each group (ANCOVA)
    D = np.zeros((len(Y), k)); o = 0
    for g, (a, _) in enumerate(groups): D[o:o + len(a), g] = 1; o += len(a)
    fit = sm.OLS(Y, np.column_stack([D, P])).fit(); thetaw = fit.params[k]
    sxy = sum(((a - a.mean()) * (b - b.mean())).sum() for a, b in groups); sxx = sum(((a - a.mean()) ** 2).sum() for a, _ in groups)
    agree(thetaw, sxy / sxx, "within theta by ANCOVA")
    out = []
    for a, b in groups:
        adj = b - theta * (a - P.mean())
        out.append({"mean": num(adj.mean()), "variance": num(np.var(adj, ddof=1)), "standardError": num(math.sqrt(np.var(adj, ddof=1) / len(a)))})
    c0, r = out[0], []
    for g in range(1, k):
        adjt = groups[g][1] - theta * (groups[g][0] - P.mean()); adjc = groups[0][1] - theta * (groups[0][0] - P.mean())
        w = stats.ttest_ind(adjt, adjc, equal_var=False); raw = stats.ttest_ind(groups[g][1], groups[0][1], equal_var=False)
        r.append({"delta": num(adjt.mean() - adjc.mean()), "standardError": num(math.sqrt(np.var(adjt, ddof=1) / len(adjt) + np.var(adjc, ddof=1) / len(adjc))),
                  "pWelch": num(w.pvalue), "unadjustedDelta": num(groups[g][1].mean() - groups[0][1].mean()), "unadjustedPWelch": num(raw.pvalue)})
    add("cuped", {"groups": [{"pre": a.tolist(), "post": b.tolist()} for a, b in groups]},
        {"theta": num(theta), "thetaWithinGroups": num(thetaw), "preMean": num(P.mean()),
         "varianceReduction": num(1 - np.var(Y - theta * (P - P.mean()), ddof=1) / np.var(Y, ddof=1)), "groups": out, "comparisonsToFirst": r},
        by="numpy; theta = OLS slope of statsmodels over all units; within-group theta = ANCOVA")

# 8. CUPED of ratio metrics (Deng et al. 2013, appendix B): covariates are the linearised pre-period ratio --------------------------
for i in range(6):
    gs = []
    for g in range(2):
        n = int(rng.integers(60, 200)); act = rng.gamma(3, 1, n); q = np.clip(rng.normal(0.4 + 0.03 * g, 0.15, n), 0.02, 0.98)
        M = rng.poisson(act * 2) + 1; X = rng.binomial(M, q); N = rng.poisson(act * 2) + 1; Yn = rng.binomial(N, q)
        gs.append((Yn.astype(float), N.astype(float), X.astype(float), M.astype(float)))
    def lin(a, b): return (a - a.sum() / b.sum() * b) / b.mean()
    cyx = vx = 0
    for Y_, N_, X_, M_ in gs:
        n = len(Y_); cyx += np.cov(lin(Y_, N_), lin(X_, M_), ddof=1)[0, 1] / n; vx += np.var(lin(X_, M_), ddof=1) / n
    th = cyx / vx; o = []
    for Y_, N_, X_, M_ in gs:
        e = lin(Y_, N_) - th * lin(X_, M_); o.append(np.var(e, ddof=1) / len(Y_))
    (Yc, Nc, Xc, Mc), (Yt, Nt, Xt, Mt) = gs
    Rc = Yc.sum() / Nc.sum(); adjt = Yt.sum() / Nt.sum() - th * (Xt.sum() / Mt.sum() - Xc.sum() / Mc.sum())
    add("cuped_ratio", {"control": {k: v.tolist() for k, v in zip(("numerator", "denominator", "preNumerator", "preDenominator"), gs[0])},
                        "test": {k: v.tolist() for k, v in zip(("numerator", "denominator", "preNumerator", "preDenominator"), gs[1])}},
        {"theta": num(th), "controlRatio": num(Rc), "adjustedTestRatio": num(adjt), "delta": num(adjt - Rc), "standardError": num(math.sqrt(sum(o)))},
        by="numpy; theta = sum of cov/n over sum of var/n of the linearised ratios (minimises the variance of the delta)")

# 9. Winsorisation ------------------------------------------------------------------------------------------------------------------
for i in range(10):
    n = int(rng.integers(50, 400)); x = np.where(rng.random(n) < 0.4, 0.0, np.round(rng.lognormal(2, 1.2, n), 2)); hi = [0.9, 0.95, 0.99, 0.999][i % 4]; lo = 0.0 if i % 3 else 0.05
    nz = x[x != 0]
    up, dn = np.quantile(nz, hi), (np.quantile(nz, lo) if lo else None)
    w = np.where(x == 0, x, np.minimum(x, up)) if dn is None else np.where(x == 0, x, np.clip(x, dn, up))
    s = np.sort(nz); r = hi * (len(s) - 1); j = int(math.floor(r))
    agree(up, s[j] + (r - j) * (s[min(j + 1, len(s) - 1)] - s[j]), "percentile_cont")
    add("winsorize", {"values": x.tolist(), "high": hi, "low": lo}, {"upper": num(up), "upperDiscrete": num(np.quantile(nz, hi, method="inverted_cdf")),
        "lower": None if dn is None else num(dn), "mean": num(w.mean()), "variance": num(np.var(w, ddof=1)), "sum": num(w.sum())},
        by="numpy.quantile (type 7, as percentile_cont of SQL) over the units that are not zero; zeros stay")

# 10. Quantiles of clustered data, Deng et al. 2018 section 4 (outer interval, correction by the delta method) ------------------------
for i in range(8):
    units = []
    for _ in range(int(rng.integers(80, 200))):
        m = rng.lognormal(3, 0.5); units.append(np.round(m * rng.lognormal(0, 0.6, 1 + rng.poisson(3)), 3))
    q = [0.5, 0.9, 0.95, 0.75][i % 4]; allv = np.concatenate(units); Nn = len(allv); K = len(units)
    qv = np.quantile(allv, q); I = np.array([float((u <= qv).sum()) for u in units]); S = np.array([float(len(u)) for u in units]); ph = I.sum() / S.sum()
    e = (I - ph * S) / S.mean(); sp = math.sqrt(np.var(e, ddof=1) / K); z = stats.norm.ppf(0.975)
    L, U = np.quantile(allv, max(q - z * sp, 0)), np.quantile(allv, min(q + z * sp, 1))
    add("clustered_quantile", {"units": [u.tolist() for u in units], "quantile": q, "confidence": 0.95},
        {"value": num(qv), "units": K, "events": Nn, "standardErrorOfLevel": num(sp), "naiveStandardErrorOfLevel": num(math.sqrt(q * (1 - q) / Nn)),
         "interval": [num(L), num(U)], "standardError": num((U - L) / (2 * z))}, by="numpy.quantile type 7; delta method for sum I / sum N")

# 11. Sample ratio mismatch ---------------------------------------------------------------------------------------------------------
for i in range(14):
    k = 2 + i % 4; w = np.round(rng.dirichlet(np.ones(k) * 8), 4); w[-1] = round(1 - w[:-1].sum(), 4)
    obs = rng.multinomial(int(10 ** rng.uniform(2, 6.5)), w); 
    if i % 3 == 0: obs[0] = int(obs[0] * 1.03) + 3
    r = stats.chisquare(obs, w * obs.sum())
    agree(r.pvalue, float(mp.gammainc(mp.mpf(k - 1) / 2, mp.mpf(r.statistic) / 2, regularized=True)), "chi2", 1e-9)
    add("srm", {"observed": obs.tolist(), "weights": w.tolist()}, {"chi2": num(r.statistic), "degreesOfFreedom": k - 1, "p": num(r.pvalue)},
        by="scipy chisquare = mpmath incomplete gamma")

# 12. Always-valid intervals ---------------------------------------------------------------------------------------------------------
for i in range(10):  # mSPRT as documented by Statsig after Zhao et al. 2018
    alpha = [0.2, 0.1, 0.05, 0.02, 0.01][i % 5]; nc, nt = int(rng.integers(200, 50000)), int(rng.integers(200, 50000))
    vc, vt = round(float(rng.uniform(0.1, 400)), 4), round(float(rng.uniform(0.1, 400)), 4)
    V = mp.mpf(vc) / nc + mp.mpf(vt) / nt; d = round(float(mp.sqrt(V) * rng.normal(0, 3)), 8)
    za = mp.sqrt(2) * mp.erfinv(1 - mp.mpf(str(alpha))); tau = za**2 * (mp.mpf(vc) + vt) / (nc + nt)
    zs = mp.sqrt((V + tau) / tau * (-2 * mp.log(mp.mpf(str(alpha)) / 2) - mp.log(V / (V + tau)))); sig = zs / za
    Z = mp.mpf(d) / mp.sqrt(V); p = 2 * mp.ncdf(-abs(Z) / sig)
    zp = mp.sqrt((V + tau) / tau * (-2 * mp.log(mp.mpf(str(alpha))) - mp.log(V / (V + tau))))
    add("sequential_msprt", {"delta": d, "controlUnits": nc, "testUnits": nt, "controlVariance": vc, "testVariance": vt, "alpha": alpha},
        {"V": num(V), "tau": num(tau), "zStar": num(zs), "halfWidth": num(zs * mp.sqrt(V)), "sigma": num(sig), "p": num(p),
         "zStarOfThePaper": num(zp), "halfWidthOfThePaper": num(zp * mp.sqrt(V))}, by="mpmath; ln(alpha/2) as Statsig documents, ln(alpha) as Zhao et al. 2018")
for i in range(10):  # asymptotic confidence sequence, Waudby-Smith et al. (eq. 9, 155, 161), as GrowthBook documents
    alpha = [0.1, 0.05, 0.01][i % 3]; n = int(rng.integers(500, 200000)); se = round(float(rng.uniform(0.001, 0.4)), 6); d = round(float(se * rng.normal(0, 4)), 6); N0 = [5000, 1000, 20000][i % 3]
    A = mp.mpf(str(alpha)); rho = mp.sqrt((-2 * mp.log(A) + mp.log(-2 * mp.log(A) + 1)) / N0); s2 = mp.mpf(se) ** 2 * n
    h = mp.sqrt(s2) * mp.sqrt(2 * (n * rho**2 + 1) / (n * rho) ** 2 * mp.log(mp.sqrt(n * rho**2 + 1) / A))
    st2 = mp.mpf(d) ** 2 * n / mp.mpf(se) ** 2; t1 = n * rho**2 + 1; ev = mp.exp(rho**2 * st2 / (2 * t1)) / mp.sqrt(t1)
    # the interval contains 0 exactly when p >= alpha
    assert (abs(mp.mpf(d)) > h) == (1 / ev < A)
    add("sequential_confidence_sequence", {"estimate": d, "standardError": se, "n": n, "tuning": N0, "alpha": alpha},
        {"rho": num(rho), "halfWidth": num(h), "p": num(min(mp.mpf(1), 1 / ev))}, by="mpmath")
for i in range(6):  # SPRT by the ratio of normals
    nA, nB = int(rng.integers(200, 20000)), int(rng.integers(200, 20000)); z = round(float(rng.normal(1.5, 1.5)), 4); dd = round(float(rng.uniform(0.02, 0.15)), 4); al, be = 0.05, 0.2
    th = mp.mpf(dd) / mp.sqrt(mp.mpf(1) / nA + mp.mpf(1) / nB); llr = mp.log(mp.npdf(abs(mp.mpf(z)), th, 1) / mp.npdf(abs(mp.mpf(z)), 0, 1))
    agree(float(llr), float(abs(mp.mpf(z)) * th - th**2 / 2), "llr")
    A, B = (1 - be) / al, be / (1 - al)
    add("sprt", {"z": z, "cohensD": dd, "nA": nA, "nB": nB, "alpha": al, "beta": be},
        {"theta": num(th), "logLikelihoodRatio": num(llr), "upper": math.log(A), "lower": math.log(B), "decision": "alternative" if llr >= math.log(A) else "null" if llr <= math.log(B) else "continue"},
        by="mpmath; Wald's bounds ln((1-beta)/alpha), ln(beta/(1-alpha))")

# 13. Many comparisons ---------------------------------------------------------------------------------------------------------------
for i in range(12):
    m = int(rng.integers(2, 25)); p = np.round(np.where(rng.random(m) < 0.4, rng.beta(0.3, 8, m), rng.random(m)), 6)
    if i % 4 == 0 and m > 3: p[1] = p[0]
    alpha = [0.05, 0.1, 0.2][i % 3]
    rej, adj, _, _ = multipletests(p, alpha, "fdr_bh"); b, badj, _, _ = multipletests(p, alpha, "bonferroni"); h, hadj, _, _ = multipletests(p, alpha, "holm")
    if hasattr(stats, "false_discovery_control"):
        for x, y in zip(stats.false_discovery_control(p), adj): agree(x, y, "bh")
    s = np.sort(p); ks = [k for k in range(1, m + 1) if s[k - 1] <= alpha * k / m]
    thr = alpha * max(ks) / m if ks else None
    assert all((x <= thr if thr is not None else False) == bool(y) for x, y in zip(p, rej))
    add("many_comparisons", {"p": p.tolist(), "alpha": alpha},
        {"benjaminiHochberg": {"adjusted": adj.tolist(), "rejected": rej.tolist(), "alpha": thr},
         "bonferroni": {"adjusted": badj.tolist(), "rejected": b.tolist(), "alpha": alpha / m}, "holm": {"adjusted": hadj.tolist(), "rejected": h.tolist()}},
        by="statsmodels multipletests = scipy false_discovery_control")
for i in range(4):
    al, np_, ns, w, v = 0.05, int(rng.integers(1, 6)), int(rng.integers(1, 10)), round(float(rng.uniform(0.3, 0.9)), 2), int(rng.integers(1, 5))
    add("bonferroni_weights", {"alpha": al, "primary": np_, "secondary": ns, "primaryWeight": w, "testGroups": v},
        {"perVariant": al / v, "primary": w * al / np_, "secondary": (1 - w) * al / ns, "primaryPerVariant": w * al / np_ / v, "secondaryPerVariant": (1 - w) * al / ns / v}, by="arithmetic")

# 14. Bayesian: normal effect, normal prior -------------------------------------------------------------------------------------------
for i in range(14):
    d, se = round(float(rng.normal(0.02, 0.06)), 5), round(float(rng.uniform(0.005, 0.08)), 5)
    proper = i % 3 != 0; m0, s0 = (round(float(rng.normal(0, 0.03)), 4), round(float(rng.uniform(0.02, 0.4)), 4)) if proper else (0.0, None)
    D, S = mp.mpf(d), mp.mpf(se)
    prec = 1 / S**2 + (1 / mp.mpf(s0) ** 2 if proper else 0); mu = (D / S**2 + (mp.mpf(m0) / mp.mpf(s0) ** 2 if proper else 0)) / prec; sd = mp.sqrt(1 / prec)
    ctb = mp.ncdf(mu / sd); z = mp.sqrt(2) * mp.erfinv(mp.mpf("0.95"))
    # expected loss of shipping the test, and of keeping control: E[max(0,-x)], E[max(0,x)]
    lt = mp.quad(lambda x: -x * mp.npdf(x, mu, sd), [min(mu, 0) - 12 * sd, 0]) if mu - 12 * sd < 0 else mp.mpf(0)
    closed = sd * mp.npdf(mu / sd) - mu * mp.ncdf(-mu / sd); agree(float(lt), float(closed), "expected loss", 1e-8, 1e-14)
    lc = closed + mu
    add("bayesian", {"effect": d, "standardError": se, "priorMean": m0, "priorStdDev": s0, "confidence": 0.95},
        {"mean": num(mu), "stdDev": num(sd), "chanceToBeat": num(ctb), "interval": [num(mu - z * sd), num(mu + z * sd)], "expectedLossOfTest": num(closed), "expectedLossOfControl": num(lc)},
        by="mpmath; loss by quadrature = closed form")

# 15. Power -------------------------------------------------------------------------------------------------------------------------
for i in range(12):
    alpha, power, ratio = [0.05, 0.1, 0.01][i % 3], [0.8, 0.9][i % 2], [1.0, 1.0, 0.5, 2.0][i % 4]; d = round(float(rng.uniform(0.01, 0.4)), 4); two = i % 5 != 4
    alt = "two-sided" if two else "larger"
    n1 = NormalIndPower().solve_power(effect_size=d, alpha=alpha, power=power, ratio=ratio, alternative=alt)
    za, zb = stats.norm.isf(alpha / 2 if two else alpha), stats.norm.ppf(power); approx = (za + zb) ** 2 * (1 + 1 / ratio) / d**2
    nt_ = TTestIndPower().solve_power(effect_size=d, alpha=alpha, power=power, ratio=ratio, alternative=alt)
    agree(n1, approx, "power", 2e-3)
    add("power", {"effectInStdDevs": d, "alpha": alpha, "power": power, "testPerControl": ratio, "twoSided": two},
        {"controlUnitsClosedForm": num(approx), "controlUnitsNormal": num(n1), "controlUnitsT": num(nt_), "mdeInStdDevsFor10000Control": num((za + zb) * math.sqrt((1 + 1 / ratio) / 10000))}, 1e-6,
        "closed form; statsmodels NormalIndPower (counts the other tail too) and TTestIndPower")

# 16. Stratified (post-stratified) difference -------------------------------------------------------------------------------------------
for i in range(6):
    k = 2 + i % 3; strata = []; 
    for s in range(k):
        c = np.round(rng.normal(5 + 4 * s, 1.5, int(rng.integers(12, 50))), 3); t = np.round(rng.normal(5.2 + 4 * s, 1.5, int(rng.integers(12, 50))), 3); strata.append((c, t))
    N = sum(len(c) + len(t) for c, t in strata)
    d = sum((len(c) + len(t)) / N * (t.mean() - c.mean()) for c, t in strata)
    v = sum(((len(c) + len(t)) / N) ** 2 * (np.var(t, ddof=1) / len(t) + np.var(c, ddof=1) / len(c)) for c, t in strata)
    add("post_stratified", {"strata": [{"control": c.tolist(), "test": t.tolist()} for c, t in strata]}, {"delta": num(d), "standardError": num(math.sqrt(v)), "p": num(2 * stats.norm.sf(abs(d) / math.sqrt(v)))}, by="numpy; Miratrix, Sekhon, Yu 2013, conditional variance")

# 17. Bandit: the probability that an arm is the best, Beta(1+successes, 1+failures) ------------------------------------------------------
for i in range(8):
    k = 2 + i % 4; n = rng.integers(30, 2000, k); s = np.array([int(rng.binomial(int(a), rng.uniform(0.08, 0.14))) for a in n]); A, B = 1 + s, 1 + n - s
    x = np.linspace(0, 1, 400001); F = [stats.beta.cdf(x, a, b) for a, b in zip(A, B)]; pr = []
    for j in range(k):
        f = stats.beta.pdf(x, A[j], B[j]) * np.prod([F[l] for l in range(k) if l != j], axis=0)
        pr.append(float(scipy.integrate.simpson(f, x=x)))
    agree(sum(pr), 1, "best arm", 1e-8)
    if k == 2:  # the exact sum for two arms (Miller 2015)
        a1, b1, a2, b2 = map(int, (A[0], B[0], A[1], B[1]))
        second = mp.fsum(mp.beta(a1 + m, b1 + b2) / ((b2 + m) * mp.beta(1 + m, b2) * mp.beta(a1, b1)) for m in range(a2))
        agree(float(second), pr[1], "best of two arms", 1e-7, 1e-10)
    add("best_arm", {"units": n.tolist(), "successes": s.tolist()}, {"probabilityOfBest": pr}, 1e-3, "scipy.integrate over the beta densities; for two arms = an exact sum. The tolerance is for 100,000 draws or more; a quadrature reaches 1e-8")

# 18. Distribution functions, 50 digits -------------------------------------------------------------------------------------------------
def tail_of(pdf, x, unit):
    """The integral of a density from x on, in pieces that grow."""
    edges = [x] + [x + unit * mp.mpf(2) ** k for k in range(-6, 9)]
    return mp.quad(pdf, edges)

def tcdf(x, v):
    x, v = mp.mpf(x), mp.mpf(v)
    if v <= 300:
        tail = mp.betainc(v / 2, mp.mpf(1) / 2, 0, v / (v + x * x), regularized=True) / 2
    else:
        c = mp.exp(mp.loggamma((v + 1) / 2) - mp.loggamma(v / 2)) / mp.sqrt(v * mp.pi)
        pdf = lambda t: c * mp.exp(-(v + 1) / 2 * mp.log1p(t * t / v))
        tail = mp.mpf(1) / 2 - mp.quad(pdf, mp.linspace(0, abs(x), 9)) if abs(x) < 3 else tail_of(pdf, abs(x), 1 / abs(x))
    return (tail, 1 - tail) if x < 0 else (1 - tail, tail)

def betacdf(x, a, b):
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    if a + b < 1100:
        return mp.betainc(a, b, 0, x, regularized=True)
    s = mp.sqrt(a * b / (a + b) ** 2 / (a + b + 1)); c = mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
    pdf = lambda t: mp.exp(c + (a - 1) * mp.log(t) + (b - 1) * mp.log1p(-t))
    return mp.quad(pdf, [x - k * s for k in (24, 18, 13, 9, 6, 4, 2.5, 1.5, 0.7, 0) if x - k * s > 0])

dist = {"normal_cdf": [], "normal_quantile": [], "t_cdf": [], "t_quantile": [], "chi2_sf": [], "beta_cdf": []}
for x in [-37, -20, -10, -8, -6, -5, -4, -3, -2.5, -1.96, -1, -0.5, -1e-3, 0, 1e-3, 0.3, 1, 1.6448536269514722, 1.959963984540054, 3, 5, 6, 7.5, 8]:
    dist["normal_cdf"].append([x, float(mp.ncdf(mp.mpf(x))), float(mp.ncdf(-mp.mpf(x)))])
for p in [1e-300, 1e-100, 1e-30, 1e-16, 1e-12, 1e-8, 1e-6, 1e-4, 0.001, 0.005, 0.01, 0.02425, 0.025, 0.05, 0.1, 0.25, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9999, 0.999999]:
    f = lambda x: mp.log(mp.ncdf(x)) - mp.log(mp.mpf(p)); x0 = mp.mpf(float(stats.norm.ppf(p)))
    dist["normal_quantile"].append([p, float(mp.findroot(f, x0)) if p != 0.5 else 0.0])
for df in [1, 2, 2.7, 3, 5, 9.3, 17.776473516178488, 30, 64.5, 99.9, 250, 1000, 1e5]:
    for x in [-40, -8, -4.5, -2.2, -1, -0.01, 0.7, 1.9, 3.3, 12]:
        a, b = tcdf(x, df); dist["t_cdf"].append([x, df, float(a), float(b)])
    for p in [1e-6, 0.0005, 0.005, 0.01, 0.025, 0.1, 0.3, 0.6, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9995]:
        x0 = mp.mpf(float(stats.t.ppf(p, df))); side, pp = (0, p) if p < 0.5 else (1, 1 - mp.mpf(p))
        x = mp.findroot(lambda y: mp.log(tcdf(y, df)[side]) - mp.log(pp), (x0, x0 * (1 + mp.mpf(10) ** -8)), solver="secant", tol=1e-40, verify=False); dist["t_quantile"].append([p, df, float(x)])
for k in [1, 2, 3, 4, 7, 10]:
    for x in [1e-6, 0.1, 0.7, 2, 3.841458820694124, 6.634896601021213, 10.827566170662733, 22.77436884189436, 60, 300]:
        dist["chi2_sf"].append([x, k, float(mp.gammainc(mp.mpf(k) / 2, mp.mpf(x) / 2, mp.inf, regularized=True))])
for a, b in [(0.5, 0.5), (1, 1), (2, 5), (12.5, 80), (101, 901), (3000, 47000)]:
    m = a / (a + b); s = math.sqrt(m * (1 - m) / (a + b + 1))
    for x in [max(m - 4 * s, 1e-9), max(m - 1.5 * s, 1e-6), m, min(m + 1.5 * s, 1 - 1e-6), min(m + 4 * s, 1 - 1e-9)]:
        dist["beta_cdf"].append([x, a, b, float(betacdf(x, a, b))])

for x, df, a, b in dist["t_cdf"]: agree(a, float(stats.t.cdf(x, df)), f"t cdf {x} {df}", 1e-7); agree(b, float(stats.t.sf(x, df)), f"t sf {x} {df}", 1e-7, 1e-300)
for p, df, x in dist["t_quantile"]: agree(x, float(stats.t.ppf(p, df)), f"t ppf {p} {df}", 1e-7)
for x, k, v in dist["chi2_sf"]: agree(v, float(stats.chi2.sf(x, k)), f"chi2 {x} {k}", 1e-8, 1e-300)
for x, a, b, v in dist["beta_cdf"]: agree(v, float(stats.beta.cdf(x, a, b)), f"beta {x} {a} {b}", 1e-8)
for p, x in dist["normal_quantile"]: agree(x, float(stats.norm.ppf(p)), f"normal {p}", 1e-9)

doc = {"about": "Reference values for experiment statistics. Every interval is two-sided at `confidence` unless said otherwise.",
       "versions": {"python": sys.version.split()[0], "numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__, "mpmath": mp.__version__},
       "cases": cases,
       "distributions": {"about": {"normal_cdf": "[x, cdf, survival]", "normal_quantile": "[p, x]", "t_cdf": "[x, df, cdf, survival]", "t_quantile": "[p, df, x]", "chi2_sf": "[x, df, survival]", "beta_cdf": "[x, a, b, cdf]"}, **dist}}
line = lambda value: json.dumps(value, separators=(",", ":"))
with open("reference.json", "w") as file:  # one case on each line, so that changes can be read
    file.write('{\n"about":' + line(doc["about"]) + ',\n"versions":' + line(doc["versions"]) + ',\n"cases":[\n' + ",\n".join(map(line, cases)) + '\n],\n"distributions":{\n')
    file.write(",\n".join(line(name) + ":" + line(points) for name, points in doc["distributions"].items()) + "\n}}\n")
from collections import Counter
print(len(cases), dict(Counter(c["method"] for c in cases)), {k: len(v) for k, v in dist.items()})
