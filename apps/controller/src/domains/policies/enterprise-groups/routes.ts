import {
  ipgroup,
  ipgroupByGroupId,
  ipgroupListNoPage,
} from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { urlgroup } from "@weft/contract/domains/policies/enterprise-url-group.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { ipGroupsOf, ipgroupStore, readableIpGroups, urlgroupStore } from "./store.ts";

/** Calls of /customer/ipgroup and /customer/urlgroup (specification section 7.2). */
export function enterpriseGroupRoutes(app: FastifyInstance): void {
  mountResource(app, ipgroup, ipgroupStore);
  mountResource(app, urlgroup, urlgroupStore);
  mount(app, ipgroupListNoPage, (_, ctx) => readableIpGroups(ctx));
  mount(app, ipgroupByGroupId, ({ enterpriseId }, ctx) => ipGroupsOf(ctx, enterpriseId));
}
