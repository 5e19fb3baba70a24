import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { call, invalidate, ReviewRequiredError, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { violationsByPlace } from "../../explain.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { useUnreadReason } from "../../ui/unread.ts";

type Version = Schema<"PromptVersion">;
type Message = Schema<"PromptMessage">;

const ROLES = [
  { id: "system", label: "System" },
  { id: "user", label: "User" },
  { id: "assistant", label: "Assistant" },
] as const satisfies readonly { id: Message["role"]; label: string }[];

/** The parameters for which the dialog has no field. They are taken over. */
function parametersWithoutField(from: Version | undefined) {
  const { top_p, frequency_penalty, presence_penalty, eval_model, workflow_body } = from ?? ({} as Partial<Version>);
  return {
    ...(top_p !== undefined && { top_p }),
    ...(frequency_penalty !== undefined && { frequency_penalty }),
    ...(presence_penalty !== undefined && { presence_penalty }),
    ...(eval_model !== undefined && { eval_model }),
    ...(workflow_body !== undefined && { workflow_body }),
  };
}

type Props = { promptID: string; etag: string /** The version to start from. */; from: Version | undefined; onClose: () => void };

/** Adds a version to a prompt. A version never changes, so the dialog begins with the text of an existing one. */
export function AddVersion({ promptID, etag, from, onClose }: Props) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [messages, setMessages] = useState<readonly Message[]>(from?.prompts ?? [{ role: "system", content: "" }]);
  const [provider, setProvider] = useState(from?.provider ?? "");
  const [model, setModel] = useState(from?.model ?? "");
  const [temperature, setTemperature] = useState(from?.temperature ?? Number.NaN);
  const [maxTokens, setMaxTokens] = useState(from?.max_tokens ?? Number.NaN);
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const unread = useUnreadReason();
  const faults = violationsByPlace(error);
  const setMessage = (index: number, changed: Partial<Message>) =>
    setMessages(messages.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      const body = {
        ...parametersWithoutField(from),
        ...{ name: name.trim(), description, prompts: messages.filter(({ content }) => content !== "") },
        ...(provider !== "" && { provider }),
        ...(model !== "" && { model }),
        ...(!Number.isNaN(temperature) && { temperature }),
        ...(!Number.isNaN(maxTokens) && { max_tokens: maxTokens }),
      };
      await call("createPromptVersion", { path: { id: promptID }, body, ifMatch: etag });
      await invalidate("getPrompt", "listPrompts", "listPromptVersions", "listChanges");
      onClose();
    } catch (thrown) {
      // The review has what was typed.
      if (thrown instanceof ReviewRequiredError) return onClose();
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <FormDialog
      title="Add a version"
      label="Add version"
      width="wide"
      isPending={isPending}
      disabledReason={unread}
      error={error}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField label="Name" autoFocus isRequired value={name} onChange={setName} error={faults.get("name")} />
      <TextField label="Description" value={description} onChange={setDescription} error={faults.get("description")} />
      <div className={entity.row}>
        <TextField label="Provider" value={provider} onChange={setProvider} placeholder="openai" error={faults.get("provider")} />
        <TextField label="Model" value={model} onChange={setModel} error={faults.get("model")} />
        <NumberField label="Temperature" isOptional minValue={0} maxValue={2} step={0.1} value={temperature} onChange={setTemperature} />
        <NumberField
          label="Maximum tokens"
          isOptional
          minValue={1}
          maxValue={10_000_000}
          decimals={0}
          value={maxTokens}
          onChange={setMaxTokens}
        />
      </div>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message has no identity but its place.
        <div key={index} className={entity.card}>
          <div className={entity.row}>
            <Select
              label={`Role of message ${index + 1}`}
              options={ROLES}
              value={message.role}
              onChange={(role) => setMessage(index, { role: role as Message["role"] })}
            />
            <IconButton label={`Remove message ${index + 1}`} onPress={() => setMessages(messages.filter((_, at) => at !== index))}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
          <TextField
            label={`Message ${index + 1}`}
            rows={5}
            isCode
            value={message.content}
            onChange={(content) => setMessage(index, { content })}
            description={index === 0 ? "Write {{name}} where your application inserts a value." : undefined}
            error={faults.get(`prompts[${index}].content`)}
          />
        </div>
      ))}
      <Button onPress={() => setMessages([...messages, { role: "user", content: "" }])}>
        <Plus aria-hidden="true" />
        Add message
      </Button>
    </FormDialog>
  );
}
