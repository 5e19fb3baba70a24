import { useNavigate, useSearch } from "@tanstack/react-router";
import { Bookmark, Columns3 } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "../ui/button.tsx";
import { ChoiceMenu } from "../ui/choice-menu.tsx";
import { Menu } from "../ui/menu.tsx";
import { soonDialog } from "../ui/soon.tsx";
import type { TableColumn } from "../ui/table.tsx";
import styles from "./entity.module.css";
import { chooseColumns, findView, isShown, type ListSettings, MAX_VIEWS, type View } from "./list-settings.ts";

const SaveView = soonDialog(() => import("./save-view.tsx"));

type Props<Item> = {
  columns: readonly TableColumn<Item>[];
  settings: ListSettings;
  onChange: (changed: Partial<ListSettings>) => void;
};

/** The saved views of a list, and its columns. */
export function ListTools<Item>({ columns, settings, onChange }: Props<Item>) {
  return (
    <div className={styles.tools}>
      <Views settings={settings} onChange={onChange} />
      <ChoiceMenu
        label="Columns"
        trigger={
          <Button>
            <Columns3 aria-hidden="true" />
            Columns
          </Button>
        }
        options={columns.filter(({ isRowHeader }) => isRowHeader !== true).map(({ id, name }) => ({ id, label: name }))}
        chosen={columns.filter((column) => isShown(column, settings.columns)).map(({ id }) => id)}
        onChoose={(shown) => onChange({ columns: chooseColumns(columns, shown, settings.columns) })}
      />
    </div>
  );
}

function Views({ settings: { columns, views }, onChange }: Omit<Props<never>, "columns">) {
  const search = useSearch({ strict: false }) as object;
  const navigate = useNavigate();
  const [isSaving, setSaving] = useState(false);
  const current = findView(views, search, columns);
  const open = (view: View) => {
    onChange({ columns: view.columns });
    void navigate({ to: ".", search: view.search as never });
  };
  return (
    <>
      <Menu
        label="Views"
        trigger={
          <Button>
            <Bookmark aria-hidden="true" />
            {current === undefined ? "Views" : <bdi>{current.name}</bdi>}
          </Button>
        }
        actions={[
          ...views.map((view) => ({ id: `=${view.name}`, label: view.name, onAction: () => open(view) })),
          {
            id: "save",
            label: "Save view…",
            hint: "Filters, sorting, and columns",
            onAction: () => setSaving(true),
            disabledReason: views.length >= MAX_VIEWS ? `You can save ${MAX_VIEWS} views. Delete one first.` : undefined,
          },
          ...(current === undefined
            ? []
            : [
                {
                  id: "delete",
                  label: `Delete view “${current.name}”`,
                  isDangerous: true,
                  onAction: () => onChange({ views: views.filter(({ name }) => name !== current.name) }),
                },
              ]),
        ]}
      />
      <Suspense>
        {isSaving && (
          <SaveView
            search={search}
            columns={columns}
            views={views}
            onSave={(saved: View[]) => onChange({ views: saved })}
            onClose={() => setSaving(false)}
          />
        )}
      </Suspense>
    </>
  );
}
