import { useState } from "react";
import { serverURL } from "../base-path.ts";
import { Section } from "../shell/page.tsx";
import { SampleOffer } from "../shell/sample-offer.tsx";
import { Select } from "../ui/choice.tsx";
import { Snippet } from "../ui/copy.tsx";
import { Notice } from "../ui/notice.tsx";
import { FirstCheck } from "./first-check.tsx";
import { GateStep } from "./gate-step.tsx";
import { KeyStep } from "./key-step.tsx";
import { type SDK, SDKS } from "./sdks.ts";
import { createSnippet, misfit, requiredKeyType, sdkName } from "./snippets.ts";
import styles from "./start.module.css";
import { Step } from "./step.tsx";

export type FirstChoices = { sdk?: SDK; gate?: string };

/** The way to a gate that an application reads, without the docs. */
export default function FirstSteps({ sdk = "curl", gate, choose }: FirstChoices & { choose: (change: FirstChoices) => void }) {
  // Only kept here: readers who leave the page create another key.
  const [key, setKey] = useState("");
  const fault = key === "" ? undefined : misfit(sdk, key);
  return (
    <>
      <p className={styles.lead}>Read your first gate from your code in a few minutes.</p>
      <ol className={styles.steps}>
        <Step number={1} title="Get a key" isDone={key !== ""}>
          <KeyStep value={key} onChange={setKey} wanted={requiredKeyType(sdk)} />
        </Step>
        <Step number={2} title="Choose a gate" isDone={gate !== undefined}>
          <GateStep value={gate} onChange={(id) => choose({ gate: id })} />
        </Step>
        <Step number={3} title="Read the gate" isDone={false}>
          <Select
            label="SDK or tool"
            options={SDKS.map((id) => ({ id, label: `${sdkName(id)} (${requiredKeyType(id) === "CLIENT" ? "client" : "server"} key)` }))}
            value={sdk}
            onChange={(id) => choose({ sdk: SDKS.find((one) => one === id) ?? "curl" })}
          />
          {fault !== undefined && <Notice tone="warn">{fault} Create one in step 1.</Notice>}
          {key === "" || gate === undefined ? (
            <p className={styles.soft}>{key === "" ? "Create a key" : "Choose a gate"} to see your code.</p>
          ) : (
            fault === undefined && <Code sdk={sdk} apiKey={key} gate={gate} />
          )}
        </Step>
        <Step number={4} title="See the first check" isDone={false}>
          {gate === undefined ? (
            <p className={styles.soft}>The first check of the gate appears here.</p>
          ) : (
            <FirstCheck key={gate} id={gate} />
          )}
        </Step>
      </ol>
      <div className={styles.sample}>
        <Section
          title="Look around first"
          description="Opens a separate project: a made-up shop with 40 days of data, experiments, a guardrail alert and a rollout."
          actions={<SampleOffer />}
        >
          {null}
        </Section>
      </div>
    </>
  );
}

function Code({ sdk, apiKey, gate }: { sdk: SDK; apiKey: string; gate: string }) {
  const { install, place, code } = createSnippet(sdk, { url: serverURL(), key: apiKey, gate });
  return (
    <>
      {install !== undefined && <Snippet text={install} label="Installation" />}
      <p className={styles.soft}>{place ?? "Paste it into a terminal."}</p>
      <Snippet text={code} label="Program" />
    </>
  );
}
