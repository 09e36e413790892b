import type { Act, ExamOptions, Opening } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { later } from "./patience.ts";
import { callsOf } from "./service-calls.ts";

/** A visit to the hosted page. The service cannot call one off, so a customer may still pay one whose price is no longer right. */
interface Session {
  readonly key: string;
  readonly amount: number;
  token?: string;
  page?: string;
  status: string;
  givenBack: boolean;
}

interface Booking {
  readonly id: string;
  seats: number;
  status: "unpaid" | "paid";
  tickets: number;
  readonly sessions: Session[];
}

type Bookings = Map<string, Booking>;

const SEAT = 35_000;
const CLOSED = new Set(["failed", "cancelled", "expired"]);

/** An office that sells seats on the hosted page alone. Who changes the number of seats gets a new page, and money for another number back. */
function openTicketOffice({ sim, fetch, timeout, now, store, url }: Opening<Bookings>) {
  const call = callsOf({ sim, fetch, timeout });

  /** Honours a payment of today's price once, and gives every other payment back. */
  const hear = (booking: Booking, session: Session, status: string): void => {
    if (session.status === "completed") return;
    if (status === "completed" || !CLOSED.has(session.status)) session.status = status;
    if (status !== "completed") return;
    const isWanted = booking.status === "unpaid" && session.amount === booking.seats * SEAT;
    if (isWanted) Object.assign(booking, { status: "paid", tickets: booking.tickets + 1 });
    else session.givenBack = true;
  };

  const ask = async (booking: Booking): Promise<void> => {
    for (const session of booking.sessions) {
      if (session.token === undefined || session.status === "completed" || CLOSED.has(session.status)) continue;
      const { data } = await call<{ status: string }>("GET", `/api/checkout/polling/${session.token}`);
      if (data !== undefined) hear(booking, session, data.status);
    }
  };

  /** Returns the page on which today's price is paid. */
  const pageFor = async (booking: Booking): Promise<string | undefined> => {
    await ask(booking);
    if (booking.status === "paid") return undefined;
    const { id, sessions } = booking;
    const amount = booking.seats * SEAT;
    let session = sessions.find((each) => each.amount === amount && !CLOSED.has(each.status));
    if (session === undefined) {
      sessions.push({ key: `${id}/${sessions.length}`, amount, status: "new", givenBack: false });
      session = sessions.at(-1) as Session;
    }
    if (session.page !== undefined) return session.page;
    const contact = { name: "A guest", email: "guest@customer.example" };
    const addresses = { returnUrl: `${url}/bookings/${id}`, webhookUrl: `${url}/events` };
    const fields = { amount, externalId: session.key, description: "Seats", contact, ...addresses };
    const { data } = await call<{ sessionToken: string; checkoutUrl: string }>(
      "POST",
      "/api/checkout",
      fields,
      session.key,
    );
    if (data !== undefined) Object.assign(session, { token: data.sessionToken, page: data.checkoutUrl });
    return session.page;
  };

  const receive = async (request: Request): Promise<Response> => {
    const event = await verifyWebhook(request, sim.credentials.webhookSecret, { now }).catch(() => undefined);
    if (event === undefined) return new Response(null, { status: 400 });
    if (!("sessionToken" in event)) return new Response(null, { status: 204 });
    for (const booking of store.values())
      for (const session of booking.sessions)
        if (session.token === event.sessionToken && session.amount === event.amount)
          hear(booking, session, event.status);
    return new Response(null, { status: 204 });
  };

  const answer = async (request: Request): Promise<Response> => {
    const [, place, id = ""] = new URL(request.url).pathname.split("/");
    if (place === "events") return receive(request);
    if (place === "rounds") for (const booking of store.values()) await ask(booking).catch(later);
    if (place === "bookings" && request.method === "POST" && !store.has(id))
      store.set(id, { id, seats: 1, status: "unpaid", tickets: 0, sessions: [] });
    const booking = store.get(id);
    if (booking === undefined) return new Response("We know no such booking.", { status: 404 });
    if (request.method === "GET" || request.method === "PUT") await ask(booking);
    if (request.method === "GET") return Response.json(booking);
    if (request.method === "PUT" && booking.status === "unpaid") booking.seats += 1;
    const page = await pageFor(booking);
    return page === undefined ? Response.json(booking) : Response.redirect(page, 303);
  };

  return {
    fetch: (request: Request): Promise<Response> =>
      answer(request).catch(() => new Response("Try again later.", { status: 503 })),
  };
}

const posts: Act = ({ visit, id }) => visit("POST", `/bookings/${id}`);

export const ticketOffice: ExamOptions<Bookings> = {
  open: openTicketOffice,
  acts: {
    checkout: posts,
    payAgain: posts,
    changeCart: ({ visit, id }) => visit("PUT", `/bookings/${id}`),
    look: ({ visit, id }) => visit(`/bookings/${id}`),
  },
  books: ({ store }) => ({
    orders: [...store.values()].map(({ id, seats, status, tickets, sessions }) => ({
      id,
      status,
      amount: seats * SEAT,
      fulfilments: tickets,
      refunded: sessions.reduce((sum, { amount, givenBack }) => sum + (givenBack ? amount : 0), 0),
    })),
  }),
  jobs: [{ every: "20 minutes", run: ({ visit }) => visit("/rounds") }],
};
