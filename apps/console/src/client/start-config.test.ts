import { describe, expect, it } from "vitest";
import { defaultConfig, readConfig } from "./start-config.ts";

describe("config.json", () => {
  it("sets the API address, menu loading, start page and title of the console", () => {
    const config = {
      BASE_URL: "https://api.example/weft/",
      MENU_URL: "/customer/menus",
      HOME_PATH: "/dashboard/workplace",
      TITLE: " Weft ",
      PROTOCOL_IMPORT_URL: "https://files.example/protocols",
    };
    expect(readConfig(config)).toEqual({
      baseUrl: "https://api.example/weft",
      menuUrl: "/customer/menus",
      homePath: "/dashboard/workplace",
      title: "Weft",
      protocolImportUrl: "https://files.example/protocols",
    });
  });

  it.each([null, [], "x", 7, {}, { BASE_URL: 7, MENU_URL: null, HOME_PATH: [], TITLE: " " }])(
    "that says nothing leaves the default settings (%j)",
    (json) => expect(readConfig(json)).toEqual(defaultConfig),
  );

  it.each(["javascript:alert(1)", "//example.com", "ftp://example.com", "example.com"])(
    "sends no call to %s",
    (url) => {
      expect(readConfig({ BASE_URL: url }).baseUrl).toBe("");
      expect(readConfig({ MENU_URL: url, HOME_PATH: url, PROTOCOL_IMPORT_URL: url })).toEqual(
        defaultConfig,
      );
    },
  );
});
