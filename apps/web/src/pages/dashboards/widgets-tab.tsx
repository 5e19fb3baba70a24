import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import type { EditProps } from "../../entity/entity-page.tsx";
import { movedTo, replacedAt, rowKey } from "../../entity/row-keys.ts";
import { setFields } from "../../saving/draft-model.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { soonDialog } from "../../ui/soon.tsx";
import type { Dashboard, DashboardDraft, Fields } from "./dashboard-draft.ts";
import styles from "./dashboards.module.css";
import { usePrintout } from "./use-printout.ts";
import { WidgetCard } from "./widget-card.tsx";
import { MAX_WIDGETS, type Widget } from "./widgets.ts";

const WidgetDialog = soonDialog(async () => ({ default: (await import("./widget-dialog.tsx")).WidgetDialog }));

/** The widgets in two columns, and their editing. */
export function WidgetsTab({ draft, onChange, disabledReason, faults }: EditProps<DashboardDraft>) {
  const { widgets } = draft.fields;
  const [isEditing, setEditing] = useState(false);
  /** The place of the widget in the dialog. The number of widgets for a new one. */
  const [open, setOpen] = useState<number>();
  const [moved, setMoved] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const printout = usePrintout(list);
  const set = (changed: Widget[]) => onChange(setFields<Dashboard, Fields>(draft, { widgets: changed }));
  const add = (
    <Button
      onPress={() => setOpen(widgets.length)}
      disabledReason={disabledReason ?? (widgets.length >= MAX_WIDGETS ? `Use at most ${MAX_WIDGETS} widgets.` : undefined)}
    >
      <Plus aria-hidden="true" />
      Add widget
    </Button>
  );
  const ofAll = faults.find(({ property }) => property === "widgets");
  return (
    <>
      {ofAll !== undefined && <Notice tone="bad">{ofAll.message}</Notice>}
      {widgets.length === 0 ? (
        <Empty title="No widgets yet" action={add}>
          Add metrics, experiments, alerts, and text to see them side by side.
        </Empty>
      ) : (
        <>
          <div className={styles.tools}>
            {add}
            <Button onPress={() => setEditing(!isEditing)} aria-pressed={isEditing} disabledReason={disabledReason}>
              {isEditing ? "Done" : "Edit widgets"}
            </Button>
            <Button onPress={printout.print} isPending={printout.isPending}>
              Print or save as PDF
            </Button>
          </div>
          <ul ref={list} className={styles.grid} aria-label="Widgets">
            {widgets.map((widget, index) => (
              <li key={rowKey(widget)} className={widget.width === "full" ? styles.full : undefined}>
                <WidgetCard
                  widget={widget}
                  isNeeded={printout.isWhole}
                  faults={faults.filter(({ property }) => property.startsWith(`widgets[${index}]`))}
                  editing={
                    isEditing && disabledReason === undefined
                      ? {
                          index,
                          count: widgets.length,
                          move(to, name) {
                            set(movedTo(widgets, index, to));
                            setMoved(`${name}: now ${to + 1} of ${widgets.length}.`);
                          },
                          edit: () => setOpen(index),
                          remove: () => set(widgets.toSpliced(index, 1)),
                        }
                      : undefined
                  }
                />
              </li>
            ))}
          </ul>
          <p role="status" className={styles.announced}>
            {moved}
          </p>
        </>
      )}
      {open !== undefined && (
        <WidgetDialog
          widget={widgets[open]}
          onClose={() => setOpen(undefined)}
          onDone={(widget) => {
            set(widgets[open] === undefined ? [...widgets, widget] : replacedAt(widgets, open, widget));
            setOpen(undefined);
          }}
        />
      )}
    </>
  );
}
