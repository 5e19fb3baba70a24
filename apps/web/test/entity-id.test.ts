import { expect, test } from "vitest";
import { identifier } from "../../server/src/common/identifier.ts";
import { layerIdentifier } from "../../server/src/console/layers/layer.ts";
import { segmentIdentifier } from "../../server/src/console/segments/segment.ts";
import { idOfName, layerIDOfName, segmentIDOfName } from "../src/entity/entity-id.ts";

const NAMES = ["Checkout", "VIP customers", "New  checkout\tv2.1", "one-page_layout", "Preis – ÄÖ & £ 3/4", "İstanbul"];

test.each(NAMES)("the previewed ID of %s is the one that the server makes", (name) => {
  expect([idOfName(name), layerIDOfName(name), segmentIDOfName(name)]).toEqual([
    identifier(name),
    layerIdentifier(name),
    segmentIdentifier(name),
  ]);
});
