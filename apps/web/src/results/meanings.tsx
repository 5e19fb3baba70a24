import styles from "./results.module.css";

/** What each number means, and where its formula is from. @param alpha at which chance of a false positive the verdict is, in words */
export function Meanings({ confidence, alpha }: { confidence: string; alpha: string }) {
  return (
    <details>
      <summary>What these numbers mean</summary>
      <dl className={styles.meanings}>
        <dt>Groups</dt>
        <dd>
          The mean of a unit, and how many units count. Of a metric that divides: the ratio of the group’s sums, and the units with a
          denominator. Of a percentile: the percentile of all events of the group, and the units with an event.
        </dd>
        <dt>Change</dt>
        <dd>
          The difference of the means relative to that of the group compared with. Of 100 such intervals, {confidence} hold the true change
          (Fieller 1954).
        </dd>
        <dt>Verdict</dt>
        <dd>
          Whether the difference is larger than chance explains, by Welch’s test of the means, {alpha}. Percentiles are compared by the z
          test, with the events of a unit together (Deng, Knoblich, Lu 2018). Experiments with a sequential probability ratio test end as
          soon as an effect of the size they look for is shown or ruled out (Wald 1945).
        </dd>
        <dt>p-value</dt>
        <dd>How probable such a difference or a larger one is if the groups do not differ.</dd>
        <dt>Topline impact</dt>
        <dd>
          The difference of the means times the units of the group, per day. In percent: of what the whole metric would be without the
          group. If everybody had it: divided by the share of units that have it.
        </dd>
        <dt>CUPED</dt>
        <dd>
          Removes what units did before their first exposure already (Deng, Xu, Kohavi, Walker 2013). The change stays, its interval becomes
          shorter.
        </dd>
      </dl>
    </details>
  );
}
