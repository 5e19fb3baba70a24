import { useState } from "react";
import { call, type Schema } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { useAccount } from "./account.ts";
import styles from "./session.module.css";

type Access = Schema<"DeviceLoginApproval">["access"];

const ACCESS: readonly { id: Access; label: string }[] = [
  { id: "read", label: "Read only" },
  { id: "read_write", label: "Read and write" },
];
const DAYS = [1, 7, 30, 90, 365].map((days) => ({ id: String(days), label: days === 1 ? "In a day" : `In ${days} days` }));

/** Shows who asks for a login, and approves or denies it. */
export function DeviceApproval({ login, onEnd }: { login: Schema<"DeviceLogin">; onEnd: (isApproved: boolean) => void }) {
  const { person, projects, defaultProjectID } = useAccount();
  const allowed = projects.filter(({ permissions }) => permissions.manage_keys);
  const [projectID, setProjectID] = useState((allowed.find(({ id }) => id === defaultProjectID) ?? allowed[0])?.id);
  const [access, setAccess] = useState<Access>("read_write");
  const [days, setDays] = useState("90");
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState<"approve" | "deny">();
  const project = allowed.find(({ id }) => id === projectID);
  const decide = async (decision: "approve" | "deny") => {
    setPending(decision);
    setError(undefined);
    try {
      const path = { id: login.id };
      if (decision === "deny") await call("rejectDeviceLogin", { path });
      else if (project) await call("approveDeviceLogin", { path, body: { projectID: project.id, access, expiresAfterDays: Number(days) } });
      onEnd(decision === "approve");
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(undefined);
    }
  };
  return (
    <>
      <dl className={styles.facts}>
        <dt>Device</dt>
        <dd>
          <bdi>{login.host}</bdi>
        </dd>
        <dt>Address</dt>
        <dd>{login.address ?? "Unknown"}</dd>
        <dt>Started</dt>
        <dd>
          <Time time={login.createdTime} />
        </dd>
      </dl>
      {!login.isFromYourNetwork && (
        <Notice tone="warn" title={login.address === null ? "Unknown network" : "Different network"}>
          {login.address === null
            ? "The server can’t tell where this login was started."
            : "This login wasn’t started from the address of this browser."}{" "}
          Deny it unless you started it yourself on that device.
        </Notice>
      )}
      {project === undefined ? (
        <Notice tone="warn">
          None of your roles can create keys, so you can’t approve this login. Ask an admin for access or for a key.
        </Notice>
      ) : (
        <>
          <Select
            label="Project"
            options={allowed.map(({ id, name }) => ({ id, label: name }))}
            value={project.id}
            onChange={setProjectID}
          />
          <Select label="Access" options={ACCESS} value={access} onChange={(id) => setAccess(id as Access)} />
          <Select label="Expires" options={DAYS} value={days} onChange={setDays} />
          <p>
            The device gets an API key that can {access === "read" ? "view" : "view and change"} everything in <bdi>{project.name}</bdi>
            {person.isAdministrator ? " except API keys." : ` that the ${project.role} role allows, except API keys.`}
          </p>
        </>
      )}
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      {project !== undefined && (
        <Button look="primary" isPending={pending === "approve"} isDisabled={pending === "deny"} onPress={() => void decide("approve")}>
          Approve
        </Button>
      )}
      <Button isPending={pending === "deny"} isDisabled={pending === "approve"} onPress={() => void decide("deny")}>
        Deny
      </Button>
    </>
  );
}
