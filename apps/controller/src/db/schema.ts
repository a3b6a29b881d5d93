/**
 * Types of all tables: those of each domain, and the one that belongs to none. Generated columns are
 * optional on insert.
 */
import type { Generated } from "kysely";
import type { AccessTables } from "#domains/access/schema.ts";
import type { DeliveryTables } from "#domains/delivery/schema.ts";
import type { DevicesTables } from "#domains/devices/schema.ts";
import type { EnterprisesTables } from "#domains/enterprises/schema.ts";
import type { MobileTables } from "#domains/mobile/schema.ts";
import type { MonitoringTables } from "#domains/monitoring/schema.ts";
import type { NotificationsTables } from "#domains/notifications/schema.ts";
import type { OverlayTables } from "#domains/overlay/schema.ts";
import type { PoliciesTables } from "#domains/policies/schema.ts";
import type { TemplatesTables } from "#domains/templates/schema.ts";
import type { Stamp } from "./columns.ts";

/** One row: who this controller is (migrations/*-ground.sql). */
interface InstallationTable {
  id: number;
  epoch: number;
  created_at: Stamp;
  controller_key: string | null;
  edge_addresses: Generated<string[]>;
  secret_key_hash: string | null;
  sealed_identity: Buffer | null;
  next_controller_key: string | null;
  sealed_next_identity: Buffer | null;
  key_prepared_at: Date | null;
  key_activated_at: Date | null;
  retired_controller_keys: Generated<string[]>;
}

/** Gateways that run, each with its addresses; written by functions of the database alone. */
interface GatewayProcessTable {
  id: string;
  addresses: string[];
  started_at: Stamp;
  seen_at: Stamp;
}

export interface Database
  extends AccessTables,
    DeliveryTables,
    DevicesTables,
    EnterprisesTables,
    MobileTables,
    MonitoringTables,
    NotificationsTables,
    OverlayTables,
    PoliciesTables,
    TemplatesTables {
  gateway_process: GatewayProcessTable;
  installation: InstallationTable;
}
