import type { Permission } from "#contract/permissions.ts";
import type { Message } from "#kernel/message.ts";

/** One entry of the built-in tree, or a route that is in no menu. */
export interface MenuNode {
  readonly path: string;
  readonly title: Message;
  readonly icon?: IconName;
  /** Key that the console looks up among its views; none: renders only its children. */
  readonly view?: string;
  readonly may?: Permission;
  /**
   * No code says who may: a role grants the entry itself, and with it the calls of the screen.
   * These role types have it in a fresh installation.
   */
  readonly roles?: readonly RoleType[];
  /** The granted entry that opens this hidden screen; absent: the one that its path is below. */
  readonly within?: `/${string}`;
  readonly hide?: true;
  /** In no menu, and opens without an id: the search of the console offers it. */
  readonly isSearched?: true;
  /** Child that this group opens with, where it is not the first. */
  readonly redirect?: string;
  readonly children?: readonly MenuNode[];
}

/** Keys of icons; the console renders them. */
export type IconName =
  | "account"
  | "acceleration"
  | "alarm"
  | "business"
  | "circuit"
  | "cloud"
  | "config"
  | "cpe"
  | "deal"
  | "enrolment"
  | "enterprise"
  | "key"
  | "link"
  | "message"
  | "mobile"
  | "monitor"
  | "notice"
  | "overlay"
  | "overview"
  | "parameter"
  | "person"
  | "pop"
  | "pulse"
  | "receiver"
  | "recharge"
  | "record"
  | "role"
  | "segment"
  | "site"
  | "space"
  | "system"
  | "template"
  | "topology"
  | "underlay"
  | "user";

/** 0 controller, 1 agent, 2 enterprise. */
export type RoleType = 0 | 1 | 2;

type Extras = Pick<MenuNode, "icon" | "may" | "within">;

/** A screen that roles grant by its entry. */
type Granted<Path extends string, View extends string> = Screen<Path, View> & {
  readonly roles: readonly RoleType[];
};

/** A node with its own path and view, and not just some. */
type Screen<Path extends string, View extends string> = MenuNode & {
  readonly path: Path;
  readonly view: View;
};

type Group<Path extends string, Children> = Omit<MenuNode, "view" | "path" | "children"> & {
  readonly path: Path;
  readonly children: Children;
};

/** An entry with a screen. */
export const page = <const Path extends string, const View extends string>(
  path: Path,
  title: Message,
  view: View,
  more: Extras = {},
): Screen<Path, View> => ({ path, title, view, ...more });

/** An entry with a screen that has no code: roles grant the entry; at first those of these types. */
export const granted = <const Path extends string, const View extends string>(
  path: Path,
  title: Message,
  view: View,
  roles: readonly RoleType[],
  more: Pick<MenuNode, "icon" | "hide" | "isSearched"> = {},
): Granted<Path, View> => ({ path, title, view, roles, ...more });

/** An entry that only opens its children. */
export const group = <const Path extends string, const Children extends readonly MenuNode[]>(
  path: Path,
  title: Message,
  more: Extras & Pick<MenuNode, "redirect">,
  children: Children,
): Group<Path, Children> => ({ path, title, ...more, children });

/** A screen that is no entry of the menu (section 2.4). */
export const hidden = <const Path extends string, const View extends string>(
  path: Path,
  title: Message,
  view: View,
  more: Extras = {},
): Screen<Path, View> => ({ path, title, view, ...more, hide: true });

/** A screen that is no entry of the menu, and opens without an id. */
export const searched = <const Path extends string, const View extends string>(
  path: Path,
  title: Message,
  view: View,
  more: Extras = {},
): Screen<Path, View> => ({ path, title, view, ...more, hide: true, isSearched: true });

/** A screen like `granted` that is no entry of the menu, and opens without an id. */
export const grantedSearched = <const Path extends string, const View extends string>(
  path: Path,
  title: Message,
  view: View,
  roles: readonly RoleType[],
): Granted<Path, View> => ({ path, title, view, roles, hide: true, isSearched: true });

/** Tabs of one report: the path of all leads to the first. */
export const hiddenGroup = <const Path extends string, const Children extends readonly MenuNode[]>(
  path: Path,
  title: Message,
  children: Children,
): Group<Path, Children> => ({ path, title, hide: true, children });

/** Keeps the literal keys of a tree. */
export const defineMenu = <const Tree extends readonly MenuNode[]>(tree: Tree): Tree => tree;

type ViewIn<Node> = Node extends { readonly view: infer View extends string } ? View : never;
type ChildIn<Node> = Node extends { readonly children: readonly (infer Child)[] } ? Child : never;

/** View keys of a node and of two levels below it: the tree has three. */
export type ViewOf<Node> = ViewIn<Node> | ViewIn<ChildIn<Node>> | ViewIn<ChildIn<ChildIn<Node>>>;

type PathIn<Node> = Node extends { readonly path: infer Path extends string } ? Path : never;

/** Paths of a node and of two levels below it. */
export type PathOf<Node> = PathIn<Node> | PathIn<ChildIn<Node>> | PathIn<ChildIn<ChildIn<Node>>>;

type GrantedIn<Node> = Node extends {
  readonly path: infer Path extends string;
  readonly roles: readonly RoleType[];
}
  ? Path
  : never;

/** Paths of granted entries among a node and two levels below it. */
export type GrantedPathOf<Node> =
  | GrantedIn<Node>
  | GrantedIn<ChildIn<Node>>
  | GrantedIn<ChildIn<ChildIn<Node>>>;
