#!/usr/bin/env python3
"""Makes agreement.json: raw events of an experiment, and the results that numpy and scipy compute from them.

Run `python3 generate-agreement.py`, with numpy and scipy of 2022 or later. The seed is fixed and values are rounded, so that the inputs are
exactly what the JSON says. The formulas come from the sources named beside them.
"""
import json, math, pathlib
import numpy as np
from scipy import optimize, stats

ALPHA, POWER, DAYS = 0.05, 0.8, 5
PRIOR_MEAN, PRIOR_SD = 2.0, 15.0
rng = np.random.default_rng(20261128)

units = []
for i in range(300):
    group = ["control", "test", "other"][rng.choice(3, p=[0.4, 0.4, 0.2])]
    exposure = int(rng.integers(1, 66))
    taste, lift = rng.uniform(2, 12), {"control": 0, "test": 2.1, "other": 1}[group]
    hours = [h for h in (-100, -60, -30, -5) if rng.random() < 0.5]
    hours += [h for h in (1, 20, 33, 47) if rng.random() < (0.42 if group == "control" else 0.5)]
    bought = [[h, round(float(taste + rng.gamma(2, 1.5) + (lift if h > 0 else 0)), 2)] for h in hours]
    units.append([f"unit {i:03d}", group, exposure, bought])

groups = ["control", "test", "other"]


def events(unit, end=DAYS * 24):
    """The values of the purchases from the exposure until `end`, in hours."""
    return [v for h, v in unit[3] if h >= 0 and unit[2] + h < end]


def of(group, end=DAYS * 24):
    return [u for u in units if u[1] == group and u[2] < end]


def sample(x):
    """Mean, variance of the mean, and its degrees of freedom."""
    x = np.asarray(x, float)
    return x.mean(), x.var(ddof=1) / len(x), len(x) - 1


def fieller(c, t, q):
    """Fieller 1954: the roots of (mt - r mc)^2 = q^2 (vt + r^2 vc), relative to the control, in percent."""
    (mc, vc, _), (mt, vt, _) = c, t
    roots = np.roots([mc**2 - q**2 * vc, -2 * mc * mt, mt**2 - q**2 * vt])
    return sorted(float(100 * (r - 1)) for r in roots)


def welch(c, t):
    """Welch 1947; Fieller 1954; minimum detectable effect: Bloom 1995."""
    (mc, vc, dc), (mt, vt, dt) = c, t
    delta, error = mt - mc, math.sqrt(vc + vt)
    df = (vc + vt) ** 2 / (vc**2 / dc + vt**2 / dt)
    q = stats.t.ppf(1 - ALPHA / 2, df)
    mde = (q + stats.t.ppf(POWER, df)) * error
    return {
        "controlMean": mc, "testMean": mt, "controlStd": math.sqrt(vc), "testStd": math.sqrt(vt),
        "absoluteChange": delta, "percentChange": 100 * delta / mc, "absoluteInterval": [delta - q * error, delta + q * error],
        "percentInterval": fieller(c, t, q), "pValue": 2 * stats.t.sf(abs(delta) / error, df),
        "minimumDetectableEffect": mde, "percentMinimumDetectableEffect": 100 * mde / mc,
    }


def values(group, end=DAYS * 24):
    return np.array([sum(events(u, end)) for u in of(group, end)])


def check_welch(control, test, found):
    independent = stats.ttest_ind(test, control, equal_var=False)
    assert math.isclose(independent.pvalue, found["pValue"], rel_tol=1e-10)


def revenue(end=DAYS * 24):
    control, test = values("control", end), values("test", end)
    found = welch(sample(control), sample(test))
    check_welch(control, test, found)
    return found


def adjusted(names):
    """CUPED (Deng, Xu, Kohavi, Walker 2013): theta and the covariate's mean are those of all groups together."""
    before = {g: np.array([sum(v for h, v in u[3] if h < 0) for u in of(g)]) for g in names}
    x, y = np.concatenate([before[g] for g in names]), np.concatenate([values(g) for g in names])
    slope = np.polyfit(x, y, 1)[0]
    return {g: values(g) - slope * (before[g] - x.mean()) for g in names}, np.corrcoef(x, y)[0, 1] ** 2


def price():
    """A ratio of sums, by the delta method (Deng, Knoblich, Lu 2018). Only units with a purchase count."""
    def one(group):
        counted = [events(u) for u in of(group) if events(u)]
        y, d = np.array([sum(e) for e in counted]), np.array([len(e) for e in counted], float)
        r, cov = y.sum() / d.sum(), np.cov(y, d)
        variance = (cov[0, 0] - 2 * r * cov[0, 1] + r * r * cov[1, 1]) / d.mean() ** 2 / len(y)
        return r, variance, len(y) - 1
    return welch(one("control"), one("test"))


def buyers():
    """Score test with Yates' correction (Pearson 1900, Yates 1934), and the differences that it doesn't reject (Mee 1984)."""
    bought = {g: [bool(events(u)) for u in of(g)] for g in ("control", "test")}
    a, n, b, m = sum(bought["control"]), len(bought["control"]), sum(bought["test"]), len(bought["test"])
    p = stats.chi2_contingency([[a, n - a], [b, m - b]], correction=True).pvalue
    z, difference, correction = stats.norm.ppf(1 - ALPHA / 2), b / m - a / n, (1 / n + 1 / m) / 2

    def excess(delta):
        """How far the difference is from `delta`, in errors at the likeliest rates with that difference, less the quantile."""
        low, high = max(0, -delta) + 1e-13, min(1, 1 - delta) - 1e-13
        slope = lambda r: a / r - (n - a) / (1 - r) + b / (r + delta) - (m - b) / (1 - r - delta)
        r = optimize.brentq(slope, low, high, xtol=1e-15)
        return abs(difference - delta) - correction - z * math.sqrt(r * (1 - r) / n + (r + delta) * (1 - r - delta) / m)

    find = lambda end: optimize.brentq(excess, difference, end, xtol=1e-14)
    return {"controlMean": a / n, "testMean": b / m, "absoluteChange": difference, "pValue": float(p),
            "absoluteInterval": [find(difference - 0.4), find(difference + 0.4)]}


def median():
    """A percentile of type 7 (Hyndman, Fan 1996), whose level's error follows the delta method (Deng, Knoblich, Lu 2018)."""
    z = stats.norm.ppf(1 - ALPHA / 2)
    def one(group):
        counted = [np.array(events(u)) for u in of(group) if events(u)]
        pooled = np.concatenate(counted)
        at = np.quantile(pooled, 0.5)
        below, d = np.array([(e <= at).sum() for e in counted], float), np.array([len(e) for e in counted], float)
        share = below.sum() / d.sum()
        level = math.sqrt(np.var(below - share * d, ddof=1) / len(d)) / d.mean()
        low, high = np.quantile(pooled, [0.5 - z * level, 0.5 + z * level])
        return at, ((high - low) / (2 * z)) ** 2, z * 0.25 / level
    return welch(one("control"), one("test"))


def sequential(control, test):
    """The mixture test of Zhao et al. 2018 (arXiv 1905.10493), and the confidence sequence of Waudby-Smith et al. 2021 (arXiv 2103.06476).

    Variances are estimates, so both thresholds are quantiles of Student's distribution (Welch 1947) with the tail of the normal one.
    """
    c, t = sample(control), sample(test)
    z, (n, m) = stats.norm.ppf(1 - ALPHA / 2), (len(control), len(test))
    v = c[1] + t[1]
    tau = z**2 * (np.var(control, ddof=1) + np.var(test, ddof=1)) / (n + m)
    threshold = math.sqrt((v + tau) / tau * (-2 * math.log(ALPHA / 2) - math.log(v / (v + tau))))
    df = v**2 / (c[1] ** 2 / c[2] + t[1] ** 2 / t[2])
    threshold = stats.t.isf(stats.norm.sf(threshold), df)
    narrowest, total = 5000, n + m
    rho2 = (-2 * math.log(ALPHA) + math.log(-2 * math.log(ALPHA) + 1)) / narrowest
    scaled = total * rho2 + 1
    boundary = math.sqrt(total) * math.sqrt(2 * scaled / (total**2 * rho2) * math.log(math.sqrt(scaled) / ALPHA))
    width = stats.t.isf(stats.norm.sf(boundary), df) * math.sqrt(v)
    return {"sequentialTestingConfidenceIntervalDelta": threshold * math.sqrt(v), "sequentialPercentInterval": fieller(c, t, threshold),
            "confidenceSequence": {"confidenceIntervalDelta": width, "narrowestUnits": narrowest}}


def bayesian(control, test):
    """The normal prior and the normal likelihood of the change in percent, whose mean and deviation come from a grid of 200,001 points."""
    (mc, vc, _), (mt, vt, _) = sample(control), sample(test)
    change, error = 100 * (mt / mc - 1), 100 * math.sqrt(vt + (mt / mc) ** 2 * vc) / mc
    grid = np.linspace(-150, 200, 200_001)
    density = stats.norm.pdf(grid, PRIOR_MEAN, PRIOR_SD) * stats.norm.pdf(change, grid, error)
    density /= np.trapezoid(density, grid)
    mean = np.trapezoid(grid * density, grid)
    sd = math.sqrt(np.trapezoid((grid - mean) ** 2 * density, grid))
    # The chance and the losses are those of the normal distribution with this mean and deviation, in closed form.
    posterior = stats.norm(mean, sd)
    return {"mean": mean, "standardDeviation": sd, "chanceToBeat": posterior.sf(0), "lower": posterior.ppf(ALPHA / 2),
            "upper": posterior.ppf(1 - ALPHA / 2), "expectedLoss": sd * stats.norm.pdf(mean / sd) - mean * stats.norm.sf(mean / sd),
            "expectedLossOfControl": sd * stats.norm.pdf(mean / sd) + mean * stats.norm.cdf(mean / sd)}


cuped, explained = adjusted(groups)
own = welch(sample(cuped["control"]), sample(cuped["test"]))
check_welch(cuped["control"], cuped["test"], own)
raw = values("control"), values("test")
expected = {
    "plain": {"Revenue": revenue(), "Buyers": buyers(), "Price": price(), "Median": median()},
    "cuped": {**own, "varianceReduction": explained},
    "series": [revenue(24 * (day + 1)) for day in range(DAYS)],
    "sequential": sequential(*raw),
    "bayesian": bayesian(*raw),
}
target = pathlib.Path(__file__).with_name("agreement.json")
rows = ",\n".join(json.dumps(u) for u in units)
target.write_text(f'{{"prior": {json.dumps([PRIOR_MEAN, PRIOR_SD])}, "units": [\n{rows}\n], "expected": {json.dumps(expected, indent=1, default=float)}}}\n')
