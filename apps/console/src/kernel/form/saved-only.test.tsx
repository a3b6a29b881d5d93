import { cpeItems } from "@weft/contract/domains/devices/cpe-config.ts";
import { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { renderForTest } from "#client/render-for-test.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { DraftForm } from "./draft-form.tsx";
import { Field } from "./field.tsx";
import { type DraftSchema, useDraft } from "./use-draft.ts";

const note = "仅保存，设备尚未执行";
const count = (html: string): number => html.split(note).length - 1;

const items = z.object(cpeItems) as unknown as DraftSchema;

function Items() {
  const form = useDraft(items, { nDynamicdhcp: false, nXACLEnabled: true } as never);
  return (
    <DraftForm form={form} about="cpeConfig" onSubmit={() => undefined}>
      <Field name="nDynamicdhcp" />
      <Field name="nXACLEnabled" />
    </DraftForm>
  );
}

function Entry({ type }: { readonly type: string }) {
  const form = useDraft(blacklist.draft as unknown as DraftSchema, { type } as never);
  return (
    <DraftForm form={form} about="blacklist" onSubmit={() => undefined}>
      <Field name="type" kind="select" options={[]} />
    </DraftForm>
  );
}

function Routes() {
  const list = useResourceList(segmentRoute, { inUrl: false });
  return <ResourceTable list={list} rowKey="id" columns={[]} empty="-" />;
}

describe("what is saved and does not act", () => {
  it("is shown at its field, and at no other", () => {
    expect(count(renderForTest(<Items />, []))).toBe(1);
  });

  it("is shown of a value that does not act", () => {
    expect(count(renderForTest(<Entry type="domain" />, []))).toBe(1);
    expect(count(renderForTest(<Entry type="ip" />, []))).toBe(0);
  });

  it("is decided by the devices in question, and not shown before they are known", () => {
    const shown = (capabilities: readonly string[] | null): number =>
      count(
        renderForTest(
          <CapabilitiesProvider capabilities={capabilities}>
            <Entry type="domain" />
            <Routes />
          </CapabilitiesProvider>,
          [],
        ),
      );
    expect(shown([])).toBe(2);
    expect(shown(["dns.entries"])).toBe(1);
    expect(shown(["dns.entries", "segments"])).toBe(0);
    expect(shown(null)).toBe(0);
  });

  it("is shown above a list whose rows do not act", () => {
    expect(count(renderForTest(<Routes />, []))).toBe(1);
  });
});
