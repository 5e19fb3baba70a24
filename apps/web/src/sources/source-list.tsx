import { useNavigate, useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { type CallID, invalidate, type Schema } from "../api.ts";
import { ColumnField } from "../entity/column-field.tsx";
import { CreateEntity, type NewEntity } from "../entity/create-entity.tsx";
import { EntityList } from "../entity/entity-list.tsx";
import { ListFilters } from "../entity/list-filters.tsx";
import type { UnitColumn } from "../entity/unit-columns.tsx";
import { useRefusal } from "../session/account.ts";
import { TextField } from "../ui/field.tsx";
import type { TableColumn } from "../ui/table.tsx";
import { PreviewButton, type PreviewRequest, PreviewResult, usePreview } from "./preview.tsx";
import type { ListPath, Source } from "./source-page.tsx";
import { toMapping } from "./unit-faults.ts";

/** The unit ID type whose column the dialog asks for. */
const UNIT = "userID";
/** Path of that column in a request. */
const UNIT_PLACE = "idTypeMapping[0].column";

/** The dialog's fields: a query, the column with the ids of units, and the columns of a kind. */
type Typed = Record<string, string> & { sql: string; unitColumn: string };
type Form<Given extends Typed> = Omit<Given, "unitColumn"> & { idTypeMapping: UnitColumn[] };
type NewSource<Given extends Typed> = Omit<Given, "unitColumn"> &
  Pick<NewEntity, "name" | "description"> & { idTypeMapping: ReturnType<typeof toMapping> };

type Props<Entity extends Source, Given extends Typed, Body> = {
  /** The listed noun: metric source. */
  noun: string;
  list: { to: ListPath; title: string };
  answer: { data: Entity[]; pagination: Schema<"Pagination"> };
  columns: readonly TableColumn<Entity>[];
  /** The operation that reads the list. */
  reads: CallID;
  /** Hint about references to its name. */
  nameHint: string;
  /** The fields that the contract requires of a new source, before typing. All others are edited on its page. */
  blank: Given;
  /** The columns that the dialog asks for before that with the ids of units. */
  asks: readonly { name: keyof Given & string; label: string }[];
  toPreviewRequest: (form: Form<Given>) => PreviewRequest<Body>;
  preview: (body: Body) => Promise<{ data: Schema<"MetricSourcePreview"> }>;
  create: (source: NewSource<Given>) => Promise<unknown>;
  /** Its purpose, shown while the list is empty. */
  purpose: string;
};

/** The list of one kind of sources of rows on the warehouse. Its dialog previews a new one before it is created. */
export function SourceList<Entity extends Source, Given extends Typed, Body>(props: Props<Entity, Given, Body>) {
  const { noun, list, answer, columns, purpose, reads, nameHint, blank, asks, toPreviewRequest, create } = props;
  const nouns = `${noun}s`;
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const navigate = useNavigate();
  const { buildLocation } = useRouter();
  const open = (id: string) => navigate({ to: `${list.to}/$id` as const, params: { projectID, id } });
  const [given, setGiven] = useState(blank);
  const { unitColumn, ...rest } = given;
  const idTypeMapping = [{ unit: UNIT, column: unitColumn }];
  const preview = usePreview(toPreviewRequest({ ...rest, idTypeMapping }), props.preview);
  const field = (name: keyof Given & string, label: string, faultAt: (property: string) => string | undefined) => {
    const place = name === "unitColumn" ? UNIT_PLACE : name;
    return {
      ...{ label, isRequired: true, value: given[name] },
      onChange: (text: string) => setGiven({ ...given, [name]: text }),
      error: faultAt(place) ?? preview.faults.find(({ property }) => property === place)?.message,
    };
  };
  return (
    <EntityList
      {...{ noun, nouns, answer, columns, purpose }}
      title={list.title}
      getID={({ name }) => name}
      href={({ name }) => buildLocation({ to: `${list.to}/$id` as const, params: { projectID, id: name } }).href}
      filters={<ListFilters noun={nouns} hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("metric_management")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          {...{ noun, isOpen, onClose, nameHint }}
          create={async ({ name, description, ...owner }) => {
            await create({ ...rest, ...owner, name, description, idTypeMapping: toMapping(idTypeMapping) });
            setGiven(blank);
            await invalidate(reads, "listChanges");
            await open(name);
          }}
          fields={(faultAt) => (
            <>
              <TextField {...field("sql", "Query", faultAt)} isCode rows={4} />
              <div>
                <PreviewButton {...preview} />
              </div>
              <PreviewResult {...preview} />
              {[...asks, { name: "unitColumn", label: `Column with the ${UNIT}` }].map(({ name, label }) => (
                <ColumnField key={name} {...field(name, label, faultAt)} columns={preview.columns} />
              ))}
            </>
          )}
        />
      )}
    />
  );
}
