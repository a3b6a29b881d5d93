import type { Permission } from "#contract/permissions.ts";
import type { Message } from "#kernel/message.ts";

/**
 * The built-in tree of section 2.3 and the hidden routes of 2.4, as far as their screens exist
 * (spec/routes.json has the rest). The server seeds its menu table from it and filters it by role.
 */
export interface MenuNode {
  readonly path: string;
  readonly title: Message;
  readonly icon?: IconName;
  /** Word that the console looks up among its views; none: renders only its children. */
  readonly view?: string;
  readonly may?: Permission;
  readonly hide?: true;
  /** Child that this group opens with, where it is not the first. */
  readonly redirect?: string;
  readonly children?: readonly MenuNode[];
}

export type IconName =
  | "site"
  | "enterprise"
  | "pop"
  | "cpe"
  | "enrolment"
  | "business"
  | "overlay"
  | "space"
  | "link"
  | "system"
  | "user"
  | "role"
  | "key"
  | "record";

const defineMenu = <const Tree extends readonly MenuNode[]>(tree: Tree): Tree => tree;

export const menu = defineMenu([
  {
    path: "/sdwan-system",
    title: ["站点管理", "Site management"],
    icon: "site",
    redirect: "/sdwan-system/cpe",
    children: [
      {
        path: "/sdwan-system/enterprisemanage",
        title: ["企业管理", "Enterprises"],
        icon: "enterprise",
        view: "EnterpriseManage",
      },
      { path: "/sdwan-system/pop", title: ["POP 管理", "POPs"], icon: "pop", view: "PopManage" },
      { path: "/sdwan-system/cpe", title: ["CPE 管理", "CPEs"], icon: "cpe", view: "CpeManage" },
      {
        path: "/sdwan-system/enrolment",
        title: ["开局审批", "Enrolment"],
        icon: "enrolment",
        view: "Enrolment",
        may: "cpeActive",
      },
      {
        path: "/sdwan-system/cpe/cpeSet/:id",
        title: ["CPE 配置", "Configure CPE"],
        view: "CpeSet",
        may: "cpeConfig",
        hide: true,
      },
      {
        path: "/sdwan-system/cpe/cpeTable/detail",
        title: ["CPE 详情", "CPE details"],
        view: "CpeTableDetail",
        hide: true,
      },
      {
        path: "/sdwan-system/pop/popSet/:id",
        title: ["POP 配置", "Configure POP"],
        view: "PopSet",
        may: "popConfig",
        hide: true,
      },
      {
        path: "/sdwan-system/pop/popTable/detail",
        title: ["POP 详情", "POP details"],
        view: "PopTableDetail",
        hide: true,
      },
    ],
  },
  {
    path: "/business-system",
    title: ["业务管理", "Business management"],
    icon: "business",
    children: [
      {
        path: "/business-system/overlay",
        title: ["Overlay", "Overlay"],
        icon: "overlay",
        children: [
          {
            path: "/business-system/overlay/space",
            title: ["网络空间", "Network spaces"],
            icon: "space",
            view: "NetSpace",
          },
          {
            path: "/business-system/overlay/linkManage",
            title: ["链路管理", "Links"],
            icon: "link",
            view: "LinkManage",
          },
        ],
      },
    ],
  },
  {
    path: "/system",
    title: ["系统管理", "System"],
    icon: "system",
    children: [
      {
        path: "/system/usermanage",
        title: ["用户管理", "Users"],
        icon: "user",
        view: "UserManage",
        may: "sysUserList",
      },
      {
        path: "/system/rolemanage",
        title: ["角色管理", "Roles"],
        icon: "role",
        view: "RoleManage",
      },
      {
        path: "/system/apikey",
        title: ["API 密钥", "API keys"],
        icon: "key",
        view: "ApiKey",
        may: "sysUserList",
      },
      {
        path: "/system/recordmanage",
        title: ["日志管理", "Logs"],
        icon: "record",
        children: [
          {
            path: "/system/recordmanage/operaRecord",
            title: ["操作日志", "Operation log"],
            icon: "record",
            view: "OperaRecord",
          },
          {
            path: "/system/recordmanage/loginRecord",
            title: ["登录日志", "Login log"],
            icon: "record",
            view: "LoginRecord",
          },
        ],
      },
    ],
  },
]);

type ViewOf<Node> = Node extends { readonly view: infer View } ? View : never;
type ChildOf<Node> = Node extends { readonly children: readonly (infer Child)[] } ? Child : never;
type Level1 = (typeof menu)[number];
type Level2 = ChildOf<Level1>;
type Level3 = ChildOf<Level2>;
/** Every view word of the tree: the console's table of views is checked against it. */
export type ViewName = ViewOf<Level1> | ViewOf<Level2> | ViewOf<Level3>;

/** The fixed document title of section 2.2. */
export const documentTitle: Message = ["SD-WAN 编排管理平台", "SD-WAN Orchestrator"];
