import type { ResourceName } from "#contract/all-endpoints.ts";
import { samples as access } from "#domains/access/samples.ts";
import { samples as devices } from "#domains/devices/samples.ts";
import { samples as enterprises } from "#domains/enterprises/samples.ts";
import { samples as mobile } from "#domains/mobile/samples.ts";
import { samples as notifications } from "#domains/notifications/samples.ts";
import { samples as overlay } from "#domains/overlay/samples.ts";
import { samples as policies } from "#domains/policies/samples.ts";
import { samples as templates } from "#domains/templates/samples.ts";
import type { Samples } from "./sample.ts";

/** One valid and some invalid drafts per resource: batteries, seeds and pictures use the same. */
export const samples: { readonly [Name in ResourceName]: Samples<Name> } = {
  ...access,
  ...devices,
  ...enterprises,
  ...mobile,
  ...notifications,
  ...overlay,
  ...policies,
  ...templates,
};
