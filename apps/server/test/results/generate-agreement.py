#!/usr/bin/env python3
"""Makes agreement.json: raw events of an experiment, and the results that numpy and scipy compute from these events.

Needs Python >= 3.9 with numpy and scipy (any versions of 2022 or later), nothing else: no network, no files. The formulas come from the
sources named beside them. Where scipy has the whole test, the script stops if scipy differs. Inputs are drawn with a fixed seed and rounded,
so that they are exactly what the JSON says.
"""
import json, math, pathlib, sys
import numpy as np
from scipy import integrate, optimize, stats

ALPHA, POWER, DAYS, CUPED_HOURS = 0.05, 0.8, 10, 7 * 24
PRIOR = {"mean": -3.0, "deviation": 12.0}  # of the change in percent
CHANCE_TO_BEAT, TARGET_EXPOSURES = 0.95, 1_000
SIZES = {"control": 40, "test": 40, "other": 20}
COUNTRIES = ["CH", "NO", "PT"]
Z = stats.norm.ppf(1 - ALPHA / 2)
rng = np.random.default_rng(20261121)


def draw(index):
    group, country = rng.choice(list(SIZES), p=[0.42, 0.42, 0.16]), rng.choice(COUNTRIES, p=[0.4, 0.35, 0.25])
    taste = rng.uniform(2, 12) + (3 if country == "NO" else 0)
    lift = {"control": 0, "test": 2, "other": 1}[group]
    activity = rng.uniform(0.1, 0.9)
    # Some purchases are too old for CUPED, and some come after the last results update.
    hours = [h for h in (-190, -150, -70, -30, -5) if rng.random() < activity]
    hours += [h for h in (0.5, 20, 33, 47, 110) if rng.random() < activity * (0.7 if group == "control" else 0.8)]
    bought = [[h, round(float(taste + rng.gamma(2, 1.5) + (lift if h > 0 else 0)), 2)] for h in hours]
    exposure = int(24 * rng.integers(0, 9) + rng.choice([1, 9, 17]))
    # The last six units see two groups and are excluded.
    seen = [group] if index < 360 else ["control", "test"]
    return {"unit": f"unit {index:03d}", "country": country, "groups": [str(g) for g in seen], "exposureHour": exposure, "purchases": bought}


units = [{**u, "country": str(u["country"])} for u in map(draw, range(366))]


def members(group, end=24 * DAYS, country=None):
    return [u for u in units if u["groups"] == [group] and u["exposureHour"] < end and country in (None, u["country"])]


def outcomes(unit, end=24 * DAYS):
    return [value for hour, value in unit["purchases"] if hour >= 0 and unit["exposureHour"] + hour < end]


def sums(group, end=24 * DAYS, country=None):
    return np.array([sum(outcomes(u, end)) for u in members(group, end, country)])


def agree(a, b):
    if not np.allclose(a, b, rtol=1e-10, atol=0):
        sys.exit(f"{a!r} is not {b!r}")


class Estimate:
    """A mean, its variance, and the degrees of freedom of that variance."""

    def __init__(self, mean, variance, df):
        self.mean, self.variance, self.df = float(mean), float(variance), float(df)

    @classmethod
    def of(cls, values):
        return cls(np.mean(values), np.var(values, ddof=1) / len(values), len(values) - 1)


class Comparison:
    """Welch's test (1947) of two estimates."""

    def __init__(self, control, test):
        self.control, self.test = control, test
        self.delta, self.error = test.mean - control.mean, math.sqrt(control.variance + test.variance)
        self.df = self.error**4 / (control.variance**2 / control.df + test.variance**2 / test.df)
        self.p = 2 * stats.t.sf(abs(self.delta) / self.error, self.df)
        # The quantile of the normal distribution with the same p-value.
        self.deviate = stats.norm.isf(self.p / 2)

    def quantile(self, z):
        """The quantile of Student's distribution with the tail of the normal one beyond z."""
        return stats.t.isf(stats.norm.sf(z), self.df)

    def reach(self, z=Z):
        return self.quantile(z) * self.error

    def interval(self):
        return [self.delta - self.reach(), self.delta + self.reach()]

    def percent_interval(self, z=Z):
        """Fieller 1954: the roots r of (mt - r mc)^2 = q^2 (vt + r^2 vc), each as a change in percent."""
        c, t, q = self.control, self.test, self.quantile(z)
        roots = np.roots([c.mean**2 - q**2 * c.variance, -2 * c.mean * t.mean, t.mean**2 - q**2 * t.variance])
        return sorted(100 * (r - 1) for r in roots)

    def numbers(self):
        return {"controlMean": self.control.mean, "testMean": self.test.mean, "controlStd": math.sqrt(self.control.variance),
                "testStd": math.sqrt(self.test.variance), "absoluteChange": self.delta, "confidenceIntervalDelta": self.reach(),
                "absoluteInterval": self.interval(), "percentChange": 100 * self.delta / self.control.mean,
                "percentInterval": self.percent_interval(), "pValue": self.p}

    def detectable(self, z=Z):
        """Bloom 1995: the quantiles of the test and of its power, times the error."""
        return effect((self.quantile(z) + stats.t.ppf(POWER, self.df)) * self.error, self.control.mean)


def effect(size, control_mean):
    return {"minimumDetectableEffect": size, "percentMinimumDetectableEffect": 100 * size / control_mean}


def of_values(control, test):
    comparison = Comparison(Estimate.of(control), Estimate.of(test))
    library = stats.ttest_ind(test, control, equal_var=False)
    agree([comparison.p, *comparison.interval()], [library.pvalue, *library.confidence_interval(1 - ALPHA)])
    return comparison


revenue = of_values(sums("control"), sums("test"))


# CUPED (Deng, Xu, Kohavi, Walker 2013): the regression on the values before, and their mean, are those of all groups together.
before = {g: np.array([sum(v for h, v in u["purchases"] if -CUPED_HOURS <= h < 0) for u in members(g)]) for g in SIZES}
all_before, all_values = (np.concatenate([part(g) for g in SIZES]) for part in (before.get, sums))
fit = stats.linregress(all_before, all_values)
adjusted = of_values(*(sums(g) - fit.slope * (before[g] - all_before.mean()) for g in ("control", "test")))


# The conversion of 0 or 1 per unit: a of n in the control group, b of m in the test group.
a, b = (sum(bool(outcomes(u)) for u in members(g)) for g in ("control", "test"))
n, m = (len(members(g)) for g in ("control", "test"))
EDGE = 1e-12


def root(function, near, far):
    return optimize.brentq(function, near, far, xtol=1e-15, rtol=1e-14)


def likeliest(rate_of_test, slope, high, low=0.0):
    """The control rate of the greatest likelihood if the test rate is a function of it with that slope."""
    def score(p):
        q = rate_of_test(p)
        return a / p - (n - a) / (1 - p) + slope * (b / q - (m - b) / (1 - q))
    return root(score, low + EDGE, high - EDGE)


def difference_bound(sign):
    """Mee 1984: the differences that the score test with Yates' correction doesn't reject."""
    def excess(d):
        p = likeliest(lambda r: r + d, 1, min(1, 1 - d), max(0, -d))
        error = math.sqrt(p * (1 - p) / n + (p + d) * (1 - p - d) / m)
        return abs(b / m - a / n - d) - (1 / n + 1 / m) / 2 - Z * error
    return root(excess, b / m - a / n, b / m - a / n + sign * 0.4)


def ratio_bound(far):
    """Koopman 1984: the ratios that the score test with the correction of half a success in each group doesn't reject, in percent."""
    def excess(r):
        p = likeliest(lambda rate: r * rate, r, min(1, 1 / r))
        error = math.sqrt(r * r * p * (1 - p) / n + r * p * (1 - r * p) / m)
        return abs(b / m - r * a / n) - (r / n + 1 / m) / 2 - Z * error
    return 100 * (root(excess, (b / m) / (a / n), far) - 1)


def detectable_share():
    """Casagrande, Pike, Smith 1978: the difference from the rate of the control group that is found both up and down."""
    p = a / n
    def size(sign):
        def lack(d):
            q = p + sign * d
            pooled = (n * p + m * q) / (n + m)
            null, true = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m)), math.sqrt(p * (1 - p) / n + q * (1 - q) / m)
            return d - (1 / n + 1 / m) / 2 - Z * null - stats.norm.ppf(POWER) * true
        return root(lack, 0, p if sign < 0 else 1 - p)
    return effect(max(size(1), size(-1)), p)


conversion = {"controlMean": a / n, "testMean": b / m, "absoluteChange": b / m - a / n,
              "pValue": stats.chi2_contingency([[a, n - a], [b, m - b]], correction=True).pvalue,
              "absoluteInterval": [difference_bound(-1), difference_bound(1)], "percentChange": 100 * (b * n / (m * a) - 1),
              "percentInterval": [ratio_bound(0.3), ratio_bound(3)]}


def ratio(group):
    """The value of a purchase: the delta method (Deng, Knoblich, Lu 2018), over units with a purchase."""
    counted = [outcomes(u) for u in members(group) if outcomes(u)]
    y, d = np.array([sum(values) for values in counted]), np.array([len(values) for values in counted], float)
    gradient = np.array([1 / d.mean(), -y.mean() / d.mean() ** 2])
    return Estimate(y.sum() / d.sum(), gradient @ np.cov(y, d) @ gradient / len(y), len(y) - 1)


def median(group):
    """Type 7 of Hyndman and Fan 1996. Its error by Deng, Knoblich, Lu 2018, with the degrees of freedom of Bloch and Gastwirth 1968."""
    counted = [np.array(outcomes(u)) for u in members(group) if outcomes(u)]
    events, d = np.concatenate(counted), np.array([len(values) for values in counted], float)
    y = np.array([(values <= np.quantile(events, 0.5)).sum() for values in counted], float)
    level = math.sqrt(np.var((y - y.sum() / d.sum() * d) / d.mean(), ddof=1) / len(d))
    low, high = np.quantile(events, [0.5 - Z * level, 0.5 + Z * level])
    return Estimate(np.quantile(events, 0.5), ((high - low) / (2 * Z)) ** 2, Z * 0.25 / level)


price, middle = (Comparison(part("control"), part("test")) for part in (ratio, median))


def mixture_threshold(alpha):
    """Zhao et al. 2018, arXiv 1905.10493."""
    control, test = sums("control"), sums("test")
    v = np.var(control, ddof=1) / len(control) + np.var(test, ddof=1) / len(test)
    tau = stats.norm.ppf(1 - alpha / 2) ** 2 * (np.var(control, ddof=1) + np.var(test, ddof=1)) / (len(control) + len(test))
    return math.sqrt((v + tau) / tau * (-2 * math.log(alpha / 2) - math.log(v / (v + tau))))


def confidence_sequence():
    """Waudby-Smith et al. 2021, arXiv 2103.06476, narrowest when both groups have their share of the planned units."""
    t, planned = n + m, TARGET_EXPOSURES * (SIZES["control"] + SIZES["test"]) / sum(SIZES.values())
    rho2 = (-2 * math.log(ALPHA) + math.log(-2 * math.log(ALPHA) + 1)) / planned
    z = math.sqrt(t) * math.sqrt(2 * (t * rho2 + 1) / (t**2 * rho2) * math.log(math.sqrt(t * rho2 + 1) / ALPHA))
    # The boundary solved for alpha.
    p = math.sqrt(t * rho2 + 1) * math.exp(-revenue.deviate**2 * t * rho2 / (2 * (t * rho2 + 1)))
    return {"narrowestUnits": planned, "confidenceIntervalDelta": revenue.reach(z), "percentInterval": revenue.percent_interval(z), "pValue": p}


def countries():
    """Each country by itself; Cochran 1954 and Higgins, Thompson 2002 for the variation of the effects, and the F distribution of Welch 1951."""
    parts = [of_values(*(sums(g, country=c) for g in ("control", "test"))) for c in COUNTRIES]
    effects, weights, k = np.array([p.delta for p in parts]), np.array([1 / p.error**2 for p in parts]), len(parts)
    shares = weights / weights.sum()
    q = (weights * (effects - shares @ effects) ** 2).sum()
    spread = ((1 - shares) ** 2 / [p.df for p in parts]).sum()
    f = q / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * spread)
    # Their intervals depend on a correction over all rows, which has its own tests.
    values = {c: {name: number for name, number in p.numbers().items() if "nterval" not in name} for c, p in zip(COUNTRIES, parts)}
    return {"values": values,
            "heterogeneity": {"values": k, "q": q, "iSquared": max(0, 1 - (k - 1) / q), "pValue": stats.f.sf(f, k - 1, (k**2 - 1) / (3 * spread))}}


threshold = mixture_threshold(ALPHA)
# Beyond this alpha, the threshold would rise again.
largest = optimize.minimize_scalar(mixture_threshold, bounds=(1e-9, 0.9), method="bounded").x
sequential = {"sequentialTestingConfidenceIntervalDelta": revenue.reach(threshold),
              "sequentialPercentInterval": revenue.percent_interval(threshold),
              "verdict": {"pValue": root(lambda alpha: mixture_threshold(alpha) - revenue.deviate, 1e-9, largest)},
              "confidenceSequence": confidence_sequence()}


def change_and_error():
    """The change in percent, and its error by the delta method."""
    c, t = revenue.control, revenue.test
    gradient = np.array([-t.mean / c.mean**2, 1 / c.mean])
    return revenue.delta / c.mean * 100, 100 * math.sqrt(gradient @ np.diag([c.variance, t.variance]) @ gradient)


def bayesian():
    """Bayes' theorem by quadrature: the density is the prior's times the likelihood of the change that was seen."""
    change, error = change_and_error()
    weigh = lambda x: stats.norm.pdf(x, PRIOR["mean"], PRIOR["deviation"]) * stats.norm.pdf(change, x, error)
    edges = [min(change, PRIOR["mean"]) - 60, 0, min(change, PRIOR["mean"]), max(change, PRIOR["mean"]), max(change, PRIOR["mean"]) + 60]

    def integral(f, low=edges[0], high=edges[-1]):
        inside = sorted({low, high, *(e for e in edges if low < e < high)})
        return sum(integrate.quad(lambda x: f(x) * weigh(x), *pair, epsabs=0, epsrel=1e-13, limit=200)[0] for pair in zip(inside, inside[1:]))

    one = lambda x: 1
    total = integral(one)
    mean = integral(lambda x: x) / total
    quantile = lambda share: root(lambda x: integral(one, edges[0], x) / total - share, edges[0] + 1, edges[-1] - 1)
    return {"mean": mean, "standardDeviation": math.sqrt(integral(lambda x: (x - mean) ** 2) / total),
            "chanceToBeat": integral(one, 0) / total, "lower": quantile(ALPHA / 2), "upper": quantile(1 - ALPHA / 2),
            "expectedLoss": integral(lambda x: -x, edges[0], 0) / total, "expectedLossOfControl": integral(lambda x: x, 0) / total}


def detectable_bayesian():
    """Spiegelhalter, Abrams, Myles 2004: the increase whose chance to beat the control reaches the threshold with the power."""
    _, error = change_and_error()
    precision = 1 / error**2 + 1 / PRIOR["deviation"] ** 2

    def lack(size):
        # The change that is seen at least with the power, and the posterior mean then.
        seen = size - stats.norm.ppf(POWER) * error
        mean = (seen / error**2 + PRIOR["mean"] / PRIOR["deviation"] ** 2) / precision
        return stats.norm.cdf(mean * math.sqrt(precision)) - CHANCE_TO_BEAT
    return effect(root(lack, 0, 20 * error) * revenue.control.mean / 100, revenue.control.mean)


expected = {
    "mean": {**revenue.numbers(), "series": [of_values(sums("control", end), sums("test", end)).numbers() for end in range(24, 24 * DAYS + 1, 24)]},
    "cuped": {**adjusted.numbers(), "cuped": {"varianceReduction": fit.rvalue**2}},
    "conversion": conversion,
    "ratio": price.numbers(),
    "percentile": middle.numbers(),
    "countries": countries(),
    "sequential": sequential,
    "bayesian": {"bayesian": bayesian()},
    "detectable": {"mean": revenue.detectable(), "cuped": adjusted.detectable(), "conversion": detectable_share(), "ratio": price.detectable(),
                   "percentile": middle.detectable(), "sequential": revenue.detectable(threshold), "bayesian": detectable_bayesian()},
}
settings = {"prior": PRIOR, "sizes": SIZES, "targetExposures": TARGET_EXPOSURES, "chanceToBeat": CHANCE_TO_BEAT, "days": DAYS}
rows = ",\n".join(json.dumps([u["unit"], u["country"], u["groups"], u["exposureHour"], u["purchases"]]) for u in units)
pathlib.Path(__file__).with_name("agreement.json").write_text(
    f'{{"settings": {json.dumps(settings)}, "units": [\n{rows}\n], "expected": {json.dumps(expected, indent=1, default=float)}}}\n')
