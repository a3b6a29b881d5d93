import { defaultPaths } from "@weft/contract/device/v1/paths.ts";
import { defaultClasses } from "@weft/contract/domains/overlay/traffic-class.ts";
import { expect, test } from "vitest";
import { pathsSectionOf } from "./paths-section.ts";

const can = [{ name: "path.quality", can: true }];

test("a device that can measure gets the limits, as soon as it has a link", () => {
  expect(pathsSectionOf({ capabilities: can }, [1, 2])).toEqual(defaultPaths);
  expect(pathsSectionOf({ capabilities: can }, [])).toBeNull();
});

test("an edge of an earlier version is not sent what it would refuse", () => {
  expect(
    pathsSectionOf({ capabilities: [{ name: "path.quality", can: false }] }, [1, 2]),
  ).toBeNull();
  expect(pathsSectionOf({ capabilities: [{ name: "shaping", can: true }] }, [1, 2])).toBeNull();
  expect(pathsSectionOf({ capabilities: null }, [1, 2])).toBeNull();
});

test("classes of the spaces that have links go to a device that chooses by them, and to no other", () => {
  const classes = new Map([
    [2, { ...defaultClasses, enable: true, bulkDscp: "" }],
    [3, defaultClasses],
  ]);
  const able = [...can, { name: "path.classes", can: true }];
  expect(pathsSectionOf({ capabilities: can, classes }, [1, 2])).toEqual(defaultPaths);
  expect(pathsSectionOf({ capabilities: able, classes }, [1])).toEqual(defaultPaths);
  expect(pathsSectionOf({ capabilities: able, classes }, [1, 2])?.spaces).toEqual([
    {
      spaceId: 2,
      limits: defaultPaths.limits,
      classes: [
        {
          name: "realtime",
          limits: { loss: 1, rtt: 300, jitter: 30 },
          dscp: [46, 40, 34, 36, 38],
        },
        {
          name: "transactional",
          limits: { loss: 2, rtt: 300, jitter: 60_000 },
          dscp: [18, 20, 22, 26, 28, 30],
        },
      ],
    },
  ]);
});

test("links over special lines are named to a device that looks at them, in spaces with classes", () => {
  const classes = new Map([[2, { ...defaultClasses, enable: true }]]);
  const special = new Map([
    [1, [11]],
    [2, [12, 13]],
  ]);
  const classed = [...can, { name: "path.classes", can: true }];
  const able = [...classed, { name: "path.lines", can: true }];
  const spacesOf = (capabilities: typeof can) =>
    pathsSectionOf({ capabilities, classes }, [1, 2], special)?.spaces;
  expect(spacesOf(able)).toMatchObject([{ spaceId: 2, special: [12, 13] }]);
  expect(spacesOf(classed)?.[0]).not.toHaveProperty("special");
});
