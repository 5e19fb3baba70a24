import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, type Schema } from "../../api.ts";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { FORMATS, urlFault } from "./webhook-words.ts";

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate({ from: "/projects/$projectID/webhooks" });
  const [url, setURL] = useState("");
  const [format, setFormat] = useState<Schema<"WebhookFormat">>("standard");
  return (
    <CreateEntity
      noun="webhook"
      isOpen
      onClose={onClose}
      nameHint="It can be changed later."
      fields={(faultAt) => (
        <>
          <TextField
            label="URL"
            inputMode="url"
            isRequired
            placeholder="https://"
            value={url}
            onChange={setURL}
            error={urlFault(url) ?? faultAt("url")}
          />
          <Select
            label="Format"
            options={FORMATS}
            value={format}
            onChange={(id) => setFormat(id as Schema<"WebhookFormat">)}
            error={faultAt("format")}
          />
        </>
      )}
      create={async ({ name, description }) => {
        const { data } = await call("createWebhook", { body: { name, description, url: url.trim(), format } });
        await invalidate("listWebhooks", "listChanges");
        await navigate({ to: "/projects/$projectID/webhooks/$id", params: (params) => ({ ...params, id: data.id }) });
      }}
    />
  );
}
