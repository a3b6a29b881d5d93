import type { allResources, ResourceName } from "#contract/all-endpoints.ts";
import { samples as access } from "#domains/access/domain.ts";
import { samples as devices } from "#domains/devices/domain.ts";
import { samples as enterprises } from "#domains/enterprises/domain.ts";
import { samples as mobile } from "#domains/mobile/domain.ts";
import { samples as notifications } from "#domains/notifications/domain.ts";
import { samples as overlay } from "#domains/overlay/domain.ts";
import { samples as policies } from "#domains/policies/domain.ts";
import { samples as templates } from "#domains/templates/domain.ts";
import type { Samples } from "./sample.ts";

/** Samples of every resource: batteries, seeds and journeys make their rows of them. */
export const samples: {
  readonly [Name in ResourceName]: Samples<(typeof allResources)[Name]>;
} = {
  ...access,
  ...devices,
  ...enterprises,
  ...mobile,
  ...notifications,
  ...overlay,
  ...policies,
  ...templates,
};
