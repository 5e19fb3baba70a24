import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BatchRequest, currentProjectID, invalidate, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { hourElsewhere, hourInWords } from "../../ingestion/hours.ts";
import { DATASETS, type Dataset, INGESTION_EDIT } from "../../ingestion/ingestion-words.ts";
import { describeFields } from "../../saving/draft-model.ts";
import { Review } from "../../saving/review.tsx";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { toast } from "../../ui/toast.tsx";

const WORDS = { hours: { label: "Hour in Los Angeles", as: "value" } } as const;

/** The hours of each dataset, each beside the same hour in the project's time zone. */
export function Schedule() {
  const { data: settings } = useQuery(query("getSettings"));
  const timeZone = settings?.data.timeZone ?? "UTC";
  return (
    <Section
      title="Schedule"
      description="A daily run starts after this hour. It copies yesterday and any missing rows of the six days before. Days are in UTC."
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={entity.scroll} tabIndex={0} aria-label="Schedule table">
        <table className={entity.table} aria-label="Schedule">
          <thead>
            <tr>
              <th scope="col">Dataset</th>
              <th scope="col">In Los Angeles</th>
              <th scope="col">
                In <bdi>{timeZone}</bdi>, today
              </th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {DATASETS.map(({ id }) => (
              <ScheduledHour key={id} dataset={id} timeZone={timeZone} />
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

function ScheduledHour({ dataset, timeZone }: { dataset: Dataset; timeZone: string }) {
  const { data: answer, error } = useQuery(query("getIngestionSchedule", { query: { dataset } }));
  const refusal = useRefusal()(INGESTION_EDIT);
  const [isChanging, setChanging] = useState(false);
  const [now] = useState(Date.now);
  const hour = answer?.data.scheduled_hour_pst;
  return (
    <tr>
      <th scope="row">{dataset}</th>
      <td>{error ? <Notice tone="bad">{explain(error)}</Notice> : hour !== undefined && hourInWords(hour)}</td>
      <td>{hour !== undefined && (hourElsewhere(hour, timeZone, now) ?? "–")}</td>
      <td>
        <Button
          aria-label={`Change the hour of ${dataset}`}
          onPress={() => setChanging(true)}
          disabledReason={refusal ?? (hour === undefined ? "Still loading." : undefined)}
        >
          Change
        </Button>
        {isChanging && hour !== undefined && (
          <ChangeHour dataset={dataset} hour={hour} etag={answer?.etag} timeZone={timeZone} onClose={() => setChanging(false)} />
        )}
      </td>
    </tr>
  );
}

type ChangeProps = { dataset: Dataset; hour: number; etag: string | undefined; timeZone: string; onClose: () => void };

function ChangeHour({ dataset, hour: stored, etag: storedTag, timeZone, onClose }: ChangeProps) {
  // A change is based on the version read when the dialog opened: a later version is a conflict.
  const [{ hour: before, etag, now }] = useState({ hour: stored, etag: storedTag, now: Date.now() });
  const [hour, setHour] = useState(before);
  const elsewhere = hourElsewhere(hour, timeZone, now);
  const write: BatchRequest = {
    ...{ operationId: "updateIngestionSchedule", body: { dataset, scheduled_hour_pst: hour } },
    ...(etag !== undefined && { ifMatch: etag }),
  };
  return (
    <Review
      title={`Change the hour of ${dataset}`}
      write={[write]}
      inWords={() =>
        describeFields(
          WORDS,
          { type: "ingestion_schedule", noun: "Schedule of", id: dataset },
          { hours: hourInWords(before) },
          { hours: hourInWords(hour) },
        ).map((schedule) => ({ ...schedule, entityID: currentProjectID() ?? "" }))
      }
      isTargeting={false}
      disabledReason={hour === before ? "No changes to save." : undefined}
      choices={
        <NumberField
          label="Hour in Los Angeles"
          minValue={0}
          maxValue={23}
          step={1}
          value={hour}
          onChange={(given) => Number.isInteger(given) && setHour(given)}
          description={`${elsewhere === undefined ? "" : `Today this is ${elsewhere} in ${timeZone}. `}There’s at most one run per day in Los Angeles time.`}
        />
      }
      onClose={onClose}
      onConflict={() => {
        onClose();
        void invalidate("getIngestionSchedule");
      }}
      onSaved={() => {
        onClose();
        void invalidate("getIngestionSchedule", "listChanges");
        toast({ text: `Changed the hour of ${dataset}` });
      }}
    />
  );
}
