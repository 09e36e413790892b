import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stage } from "centavo/scenario";
import type { Membership } from "../examples/express-shop/memberships.ts";
import { Orders } from "../examples/express-shop/orders.ts";
import type { Order } from "../examples/express-shop/orders.ts";
import { createShop } from "../examples/express-shop/shop.ts";
import type { ShopConfig } from "../examples/express-shop/shop.ts";

const SHOP_URL = "https://shop.example";
const customer = { name: "Ana Cruz", email: "ana@customer.example" };

/** The shop's answer about a membership: the membership, with the problem if there is one. */
export type MembershipAnswer = Membership & { readonly problem?: string };

/** The Express shop in a story: its routes as a browser calls them, and its server. */
export interface Shop {
  /** Places an order, and pays it at once if a payment method is given. */
  order(sku: string, paymentMethodId?: string): Promise<Order>;
  /** Opens a hosted checkout session for an order, and returns the page's address. */
  checkout(order: Order): Promise<string>;
  /** Returns the order as the shop shows it now. */
  read(order: Pick<Order, "id">): Promise<Order>;
  /** Starts a membership, and pays its first invoice at once if a payment method is given. */
  join(plan: string, paymentMethodId?: string, who?: Membership["customer"]): Promise<MembershipAnswer>;
  /** Returns the membership as the shop shows it now. */
  membership(membership: Membership): Promise<Membership>;
  /** Whether the members-only library opens for a member now. */
  opensLibrary(membership: Membership): Promise<boolean>;
  /** Gives the shop another card, which pays what is owed. */
  newCard(membership: Membership, paymentMethodId: string): Promise<MembershipAnswer>;
  /** Asks for another plan. */
  changePlan(membership: Membership, plan: string): Promise<MembershipAnswer>;
  /** Ends a membership. */
  leave(membership: Membership, reason: string): Promise<MembershipAnswer>;
  /** From now on the shop answers 503 to webhooks and returning customers. */
  goDown(): void;
  comeBack(): void;
  /** Restarts the shop. It keeps its orders, which are in a database, and forgets everything that it held in memory. */
  restart(): void;
  /** Returns how often the shop has learned that an order is paid, and so how often it sends the parcel. */
  parcels(order: Pick<Order, "id">): number;
}

/** Opens the shop for the rest of the story. It gets the service's webhooks and returning customers. */
export async function openShop({ sim, merchant, note, defer }: Stage): Promise<Shop> {
  const parcels = new Map<string, number>();
  const orders = new Orders(({ id, status }) => {
    note("shop", `${id} is ${status}`);
    if (status === "paid") parcels.set(id, (parcels.get(id) ?? 0) + 1);
  });
  const config: ShopConfig = {
    payBaseUrl: merchant.baseUrl,
    payAuthUrl: merchant.authUrl,
    clientId: merchant.clientId,
    clientSecret: merchant.clientSecret,
    webhookSecret: merchant.webhookSecret,
    shopUrl: SHOP_URL,
    ...(merchant.fetch !== undefined && { axios: { adapter: "fetch", env: { fetch: merchant.fetch } } }),
    log: (line) => note("shop", line),
  };
  let app = createShop(config, { orders });
  const server = createServer((request, response) => void app(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sim.connect(SHOP_URL, app);

  const browse = async <Answer = Order>(method: string, path: string, body?: object): Promise<Answer> => {
    const init: RequestInit = { method, headers: { "content-type": "application/json" } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(address + path, init);
    // No story looks for something that the shop does not have.
    if (response.status === 404) throw new Error(`The shop has nothing at ${path}.`);
    return (await response.json()) as Answer;
  };
  return {
    order: (sku, paymentMethodId) => {
      note("customer", `orders a ${sku}${paymentMethodId === undefined ? "" : ` and pays with ${paymentMethodId}`}`);
      return browse("POST", "/orders", { sku, customer, paymentMethodId });
    },
    checkout: async ({ id }) => {
      note("customer", `goes to the till with ${id}`);
      return (await browse("POST", `/orders/${id}/checkout`)).redirectUrl ?? "";
    },
    read: async ({ id }) => {
      const order = await browse("GET", `/orders/${id}`);
      note("customer", `sees in the shop that ${id} is ${order.status}`);
      return order;
    },
    join: (plan, paymentMethodId, who = customer) => {
      const payment = paymentMethodId === undefined ? "and leaves" : `and pays with ${paymentMethodId}`;
      note("customer", `${who.name} asks to be a ${plan} ${payment}`);
      return browse("POST", "/memberships", { plan, customer: who, paymentMethodId });
    },
    membership: async ({ id }) => {
      const membership = await browse<Membership>("GET", `/memberships/${id}`);
      note("customer", `sees in the shop that ${id} is ${membership.status}`);
      return membership;
    },
    opensLibrary: async ({ id }) => {
      const answer = await browse<{ readonly books?: readonly string[] }>("GET", `/members/${id}/library`);
      const isOpen = answer.books !== undefined;
      note("customer", `${id} finds the library ${isOpen ? "open" : "closed"}`);
      return isOpen;
    },
    newCard: ({ id }, paymentMethodId) => {
      note("customer", `${id} pays with ${paymentMethodId} from now on`);
      return browse("POST", `/memberships/${id}/card`, { paymentMethodId });
    },
    changePlan: ({ id }, plan) => {
      note("customer", `${id} wants to be a ${plan}`);
      return browse("POST", `/memberships/${id}/plan`, { plan });
    },
    leave: ({ id }, reason) => {
      note("customer", `${id} leaves: ${reason}`);
      return browse("DELETE", `/memberships/${id}?${new URLSearchParams({ reason }).toString()}`);
    },
    goDown: () => {
      note("shop", "goes down");
      sim.connect(SHOP_URL, () => new Response("Back soon", { status: 503 }));
    },
    comeBack: () => {
      note("shop", "is back");
      sim.connect(SHOP_URL, app);
    },
    restart: () => {
      note("shop", "starts again, with its database and without its memory");
      app = createShop(config, { orders });
      sim.connect(SHOP_URL, app);
    },
    parcels: ({ id }) => parcels.get(id) ?? 0,
  };
}
