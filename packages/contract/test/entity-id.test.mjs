import { describe, expect, test } from "vitest";
import { entityID } from "../dist/entity-id.js";

describe("the ID of a new entity", () => {
  test.each([
    ["experiment", "New checkout", "new_checkout"],
    ["experiment", " padded  twice ", "_padded_twice_"],
    ["experiment", "kept-as_IT is", "kept-as_it_is"],
    ["gate", "v2.1 - beta", "v2.1_-_beta"],
    ["prompt_dataset", "Support.rows", "support.rows"],
    ["layer", "Checkout - page_1", "checkout_page_1"],
    ["layer", "-edge-", "_edge_"],
    ["segment", "VIP-customers", "VIP-customers"],
    ["segment", "VIP customers", "vip_customers"],
    ["experiment", "a  ", "a_"],
    ["layer", "---", "_"],
  ])("of the type %s with the plain name %j is %s, as always", (type, name, id) => {
    expect(entityID(type, name)).toBe(id);
  });

  test.each([
    ["experiment", "Café menu (new)", "cafe_menu_new"],
    ["experiment", "Preis – ÄÖ & £ 3/4", "preis_ao_3_4"],
    ["experiment", "Delivery promise A/B/C", "delivery_promise_a_b_c"],
    ["experiment", "v2.1!", "v2_1"],
    ["dynamic_config", "v2.1!", "v2.1"],
    ["layer", "“Größe”", "gro_e"],
    ["holdout", "İstanbul", "istanbul"],
    ["autotune", "ＦＵＬＬ width", "full_width"],
    ["prompt", "🚀 launch 🚀", "launch"],
    ["segment", "Straße 7", "stra_e_7"],
    ["experiment", "结账 page v2", "page_v2"],
    ["experiment", "㏂".repeat(100), "a_m_".repeat(25)],
  ])("of the type %s with the name %j is %s", (type, name, id) => {
    expect(entityID(type, name)).toBe(id);
  });

  test.each(["结账页面", "Ωμέγα", "🚀🚀🚀", "A/", "é!?"])("does not follow from the name %j, which has too few letters for one", (name) => {
    expect([entityID("experiment", name), entityID("layer", name)]).toEqual([undefined, undefined]);
  });
});
