import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { query } from "../api.ts";
import { Chip } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";
import { ComboBox } from "../ui/choice.tsx";
import styles from "./entity.module.css";

type Props = { tags: readonly string[]; onChange: (tags: string[]) => void; isDisabled: boolean; error?: string | undefined };

/** The tags of an entity, chosen from the project's tags. */
export function TagsField({ tags, onChange, isDisabled, error }: Props) {
  const { data: known } = useQuery(query("listTags", { query: { limit: 1000 } }));
  return (
    <>
      <ComboBox
        label="Tags"
        placeholder="Add a tag"
        key={tags.join()}
        options={(known?.data ?? []).filter(({ name }) => !tags.includes(name)).map(({ name }) => ({ id: name, label: name }))}
        value={null}
        onChange={(tag) => onChange([...tags, tag])}
        isDisabled={isDisabled}
        error={error}
      />
      {tags.length > 0 && (
        <div className={styles.row}>
          {tags.map((tag) => (
            <span key={tag}>
              <Chip>{tag}</Chip>
              <IconButton label={`Remove tag ${tag}`} isDisabled={isDisabled} onPress={() => onChange(tags.filter((one) => one !== tag))}>
                <X aria-hidden="true" />
              </IconButton>
            </span>
          ))}
        </div>
      )}
    </>
  );
}
