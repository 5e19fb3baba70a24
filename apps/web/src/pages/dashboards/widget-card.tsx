import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { Suspense, useId } from "react";
import type { PressEvent } from "react-aria-components";
import { query } from "../../api.ts";
import { PartBoundary } from "../../entity/tab-boundary.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import type { Fault } from "../../targeting/types.ts";
import { IconButton } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { onDemand } from "../../ui/soon.tsx";
import { useNear } from "../../ui/use-near.ts";
import styles from "./dashboards.module.css";
import { nameOfMetric, shownID, type Widget } from "./widgets.ts";

const MetricWidget = onDemand(async () => ({ default: (await import("./metric-widget.tsx")).MetricWidget }));
const ExperimentWidget = onDemand(async () => ({ default: (await import("./experiment-widget.tsx")).ExperimentWidget }));
const AlertWidget = onDemand(async () => ({ default: (await import("./alert-widget.tsx")).AlertWidget }));

type Editing = {
  index: number;
  count: number;
  /** @param name of the widget, to announce its new place */
  move: (to: number, name: string) => void;
  edit: () => void;
  remove: () => void;
};

type Props = {
  widget: Widget;
  faults: readonly Fault[];
  editing: Editing | undefined;
  /** Whether the content is read even if the widget is far from the window. */
  isNeeded: boolean;
};

/** A widget with its heading. Its content is read once it comes near the window, and can fail without the rest of the page. */
export function WidgetCard({ widget, faults, editing, isNeeded }: Props) {
  const [card, isNear] = useNear<HTMLElement>(isNeeded);
  const heading = useId();
  const name = useName(widget);
  const id = shownID(widget);
  const hasHeading = widget.type !== "text" || widget.title !== undefined;
  return (
    <article ref={card} className={styles.card} {...(hasHeading ? { "aria-labelledby": heading } : { "aria-label": name })}>
      {(hasHeading || editing !== undefined) && (
        <header className={styles.header}>
          {hasHeading && (
            <h2 id={heading}>{id === undefined ? <bdi>{name}</bdi> : <EntityLink type={widget.type} id={id} name={name} />}</h2>
          )}
          {editing && <Buttons name={name} {...editing} />}
        </header>
      )}
      {faults.map(({ property, message }) => (
        <Notice key={property} tone="bad">
          {message}
        </Notice>
      ))}
      {isNear ? (
        <PartBoundary>
          <Suspense fallback={<Loading />}>
            <Content widget={widget} />
          </Suspense>
        </PartBoundary>
      ) : (
        <div className={styles.far} />
      )}
    </article>
  );
}

function Content({ widget: { type, metricID = "", days, compare, experimentID = "", show, alertID = "", text } }: { widget: Widget }) {
  switch (type) {
    case "metric":
      return <MetricWidget id={metricID} days={days} compare={compare} />;
    case "experiment":
      return <ExperimentWidget id={experimentID} show={show} />;
    case "alert":
      return <AlertWidget id={alertID} />;
    case "text":
      return (
        <p className={styles.text}>
          <bdi>{text}</bdi>
        </p>
      );
  }
}

/** The title of a widget, or else the name of what it shows. The ID as long as the name is not known. */
function useName({ type, title, metricID = "", experimentID, alertID }: Widget): string {
  const isAsked = title === undefined;
  const experiment = useQuery({
    ...query("getExperiment", { path: { id: experimentID ?? "" } }),
    enabled: isAsked && experimentID !== undefined,
  });
  const alert = useQuery({ ...query("getAlert", { path: { id: alertID ?? "" } }), enabled: isAsked && alertID !== undefined });
  if (title !== undefined) return title;
  if (type === "metric") return nameOfMetric(metricID);
  if (type === "experiment") return experiment.data?.data.name ?? experimentID ?? "";
  if (type === "alert") return alert.data?.data.name ?? alertID ?? "";
  return "Note";
}

function Buttons({ name, index, count, move, edit, remove }: Editing & { name: string }) {
  const moveTo = (to: number) => {
    return ({ target }: PressEvent) => {
      move(to, name);
      // An element that moves in the page loses the focus.
      requestAnimationFrame(() => (target as HTMLElement).focus());
    };
  };
  return (
    <div className={styles.buttons}>
      <IconButton label={`Move ${name} up`} onPress={moveTo(index - 1)} disabledReason={index === 0 ? "Already first." : undefined}>
        <ArrowUp aria-hidden="true" />
      </IconButton>
      <IconButton
        label={`Move ${name} down`}
        onPress={moveTo(index + 1)}
        disabledReason={index === count - 1 ? "Already last." : undefined}
      >
        <ArrowDown aria-hidden="true" />
      </IconButton>
      <IconButton label={`Edit ${name}`} onPress={edit}>
        <Pencil aria-hidden="true" />
      </IconButton>
      <IconButton label={`Remove ${name}`} onPress={remove}>
        <Trash2 aria-hidden="true" />
      </IconButton>
    </div>
  );
}
