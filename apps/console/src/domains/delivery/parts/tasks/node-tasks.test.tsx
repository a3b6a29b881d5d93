import type { TaskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { taskList } from "@weft/contract/domains/delivery/task.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { NodeTasks } from "./node-tasks.tsx";

const node = { id: 7, name: "SH-01" } as Parameters<typeof NodeTasks>[0]["node"];
const list = (status: TaskStatus): string =>
  renderForTest(
    <NodeTasks node={node} />,
    ["cpeConfig"],
    [
      known(taskList, { cpeId: 7, page: 1, limit: 10 }, [
        {
          operId: 3,
          cpeId: 7,
          type: "state",
          status,
          serial: 2,
          content: "",
          createTime: new Date(0),
          updateTime: new Date(0),
        },
      ]),
    ],
  );

describe("tasks of a CPE", () => {
  it("can be cancelled while they are queued", () => {
    expect(list(0)).toMatch(/<button[^>]*>取消/);
  });
  it.each([1, 2, 3] as const)("B-4-16: in state %i cannot be cancelled", (status) => {
    expect(list(status)).toContain("1970");
    expect(list(status)).not.toMatch(/<button[^>]*>取消/);
  });
  it("B-4-16: cannot be cancelled once pulled, and the state shows it", () => {
    expect(list(4)).toMatch(/<button[^>]*aria-disabled="true"[^>]*>取消/);
  });
});
