"""A small shop that sells memberships. It takes payments through the payment service, with the standard library alone."""

import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock


class PaymentsFailed(Exception):
    """The payment service refused a call, or did not answer."""


class Payments:
    """Calls the payment service. Each call has an idempotency key, so it is safe to make it again when no answer comes."""

    def __init__(self, base_url, client_id, client_secret):
        self._base_url = base_url
        self._login = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self._token = None

    def call(self, method, path, body=None, key=None):
        """Returns the data of the answer."""
        key = key or str(uuid.uuid4())
        for pause in (1, 1, None):
            try:
                self._token = self._token or self._log_in()
                headers = {"Authorization": f"Bearer {self._token}", "Idempotency-Key": key}
                status, answer = self._send(method, path, headers, "application/json", json.dumps(body or {}))
            except (OSError, ValueError) as error:
                problem = str(error)
            else:
                # 402 says that the card was declined, or that the bank wants to see the customer.
                if status < 400 or status == 402:
                    return answer.get("data", answer)
                problem = f"status {status}"
                if status == 401:
                    self._token = None
                elif status < 500 and status != 429:
                    break
            if pause is not None:
                time.sleep(pause)
        raise PaymentsFailed(f"{method} {path}: {problem}")

    def _log_in(self):
        form = urllib.parse.urlencode(self._login)
        status, answer = self._send("POST", "/oauth", {}, "application/x-www-form-urlencoded", form)
        if status != 200:
            raise PaymentsFailed(f"The login failed with status {status}")
        return answer["access_token"]

    def _send(self, method, path, headers, content_type, body):
        """Returns the status and the JSON of the answer."""
        data = None if method == "GET" else body.encode()
        headers = {**headers, "Content-Type": content_type}
        request = urllib.request.Request(self._base_url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)


def is_genuine(header, body, secret):
    """
    Whether the service sent this body within five minutes.
    The header is `t=<seconds>,te=<hex>,li=<hex>`: an HMAC-SHA-256 over `<t>.<body>`.
    """
    parts = dict(part.split("=", 1) for part in (header or "").split(",") if "=" in part)
    stamp = parts.get("t", "")
    if not (stamp.isascii() and stamp.isdigit()) or abs(time.time() - int(stamp)) > 300:
        return False
    expected = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    return any(hmac.compare_digest(expected, parts.get(name, "").encode()) for name in ("te", "li"))


def membership_of(body):
    """Returns the id of the membership that an event is about, if it is about one."""
    try:
        return json.loads(body)["data"]["attributes"]["externalId"]
    except (ValueError, KeyError, TypeError):
        return None


@dataclass
class Membership:
    id: str
    status: str = "incomplete"
    subscription: str = ""
    paid_until: str = ""


class Shop:
    """Believes no event, but what the service says when it asks."""

    def __init__(self, payments, url):
        self._payments = payments
        self._url = url
        self._lock = Lock()
        # A real shop has a database here.
        self.memberships = {}

    def join(self, id, card):
        with self._lock:
            membership = self.memberships.setdefault(id, Membership(id))
        terms = {"name": "reader", "amount": 19_900, "interval": "month"}
        plan = self._payments.call("POST", "/api/subscription/plans", terms, "reader")
        contract = {
            "planId": plan["id"],
            "externalId": id,
            "contact": {"name": "Ana Cruz", "email": "ana@customer.example"},
            "returnUrl": f"{self._url}/memberships/{id}",
            "webhookUrl": f"{self._url}/webhooks",
        }
        membership.subscription = self._payments.call("POST", "/api/subscription/initiate", contract, id)["id"]
        return self.pay(membership, card)

    def pay(self, membership, card):
        """Pays what is owed with a card. The answer may lead the customer to the bank."""
        if membership.status == "incomplete":
            payment = {"subscriptionId": membership.subscription, "paymentMethodId": card}
            return self._payments.call("POST", "/api/subscription/process-payment", payment)
        path = f"/api/subscription/{membership.subscription}/payment-method"
        return self._payments.call("PATCH", path, {"paymentMethodId": card})

    def refresh(self, membership):
        """Asks the service about a membership."""
        # One question at a time, because answers overtake each other.
        with self._lock:
            if membership.subscription == "":
                return
            subscription = self._payments.call("GET", f"/api/subscription/{membership.subscription}")
            membership.status = subscription["status"]
            if subscription["latestInvoice"]["status"] == "paid":
                membership.paid_until = subscription["latestInvoice"]["periodEnd"]

    def refresh_all(self):
        """For a timer, because an event may never come."""
        for membership in list(self.memberships.values()):
            self.refresh(membership)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            status, answer = self._answer_to(body)
        except PaymentsFailed as error:
            status, answer = 502, {"problem": str(error)}
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = _respond

    def _answer_to(self, body):
        shop = self.server.shop
        match self.command, self.path.split("/")[1:]:
            case "POST", ["webhooks"]:
                return self._take_event(body)
            case "POST", ["jobs", "refresh"]:
                shop.refresh_all()
                return 200, {}
            case "POST", ["memberships", id]:
                return 201, shop.join(id, json.loads(body)["card"])
            case "GET", ["memberships", id] if id in shop.memberships:
                return 200, asdict(shop.memberships[id])
            case "PUT", ["memberships", id, "card"] if id in shop.memberships:
                return 200, shop.pay(shop.memberships[id], json.loads(body)["card"])
        return 404, {"problem": "There is nothing at this address"}

    def _take_event(self, body):
        if not is_genuine(self.headers.get("X-Webhook-Signature"), body, self.server.webhook_secret):
            return 401, {"problem": "The signature is wrong"}
        membership = self.server.shop.memberships.get(membership_of(body))
        if membership is not None:
            self.server.shop.refresh(membership)
        return 200, {}

    def log_message(self, *_):
        pass


def open_shop(base_url, client_id, client_secret, webhook_secret, port=0):
    """Returns a server that listens. `serve_forever` makes it answer."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.webhook_secret = webhook_secret
    server.shop = Shop(Payments(base_url, client_id, client_secret), f"http://127.0.0.1:{server.server_port}")
    return server


if __name__ == "__main__":
    names = ("PAYMENTS_URL", "PAYMENTS_CLIENT_ID", "PAYMENTS_CLIENT_SECRET", "PAYMENTS_WEBHOOK_SECRET")
    with open_shop(*(os.environ[name] for name in names), port=int(os.environ.get("PORT", "3000"))) as server:
        print(f"The shop listens on http://127.0.0.1:{server.server_port}")
        server.serve_forever()
