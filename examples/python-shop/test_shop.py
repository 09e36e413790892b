"""Tests of the shop against a payment service that runs beside it."""

import json
import os
import signal
import subprocess
import threading
import unittest
import urllib.error
import urllib.request
import uuid

from shop import open_shop


def call(method, url, body=None, token=None):
    """Sends JSON, and returns the JSON of the answer."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=60) as response:
        return json.loads(response.read() or "null")


class Memberships(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = ["npx", "centavo", "serve", "--port", "0", "--json"]
        cls.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        cls.addClassCleanup(cls.stop)
        cls.service = json.loads(cls.process.stdout.readline())

    @classmethod
    def stop(cls):
        # The server is a child of npx, so the signal is for both.
        os.killpg(cls.process.pid, signal.SIGTERM)
        cls.process.communicate()

    def setUp(self):
        # Each test has a world of its own: its own payments, credentials and time, which only the test moves.
        worlds = f"{self.service['url']}/_centavo/worlds/{uuid.uuid4()}"
        self.world = call("PUT", worlds, {}, self.service["controlToken"])
        self.addCleanup(call, "DELETE", worlds, token=self.service["controlToken"])
        keys = self.world["credentials"]
        server = open_shop(self.world["baseUrl"], keys["clientId"], keys["clientSecret"], keys["webhookSecret"])
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever).start()
        self.addCleanup(server.shutdown)
        self.shop = f"http://127.0.0.1:{server.server_port}"

    def control(self, method, path, body=None):
        """Calls the control API of the world."""
        return call(method, self.world["controlUrl"] + path, body, self.service["controlToken"])

    def membership(self):
        """Returns what the shop has learned from events."""
        return call("GET", f"{self.shop}/memberships/ana")

    def test_a_declined_renewal_makes_a_membership_past_due_until_another_card_pays(self):
        call("POST", f"{self.shop}/memberships/ana", {"card": "pm_card_approved"})
        self.control("POST", "/clock/settle", {})
        self.assertEqual(self.membership()["status"], "active")

        self.control("POST", "/faults", {"kind": "processor.decline", "code": "insufficient_funds", "times": 1})
        self.control("POST", "/clock/advance", {"duration": "1 month"})
        self.assertEqual(self.membership()["status"], "past_due")

        call("PUT", f"{self.shop}/memberships/ana/card", {"card": "pm_card_approved"})
        now = self.control("POST", "/clock/settle", {})["now"]
        self.assertEqual(self.membership()["status"], "active")
        self.assertGreater(self.membership()["paid_until"], now)
        self.assertEqual(self.control("GET", "/webhooks/failures")["failures"], [])

    def test_an_event_that_nobody_signed_is_refused(self):
        with self.assertRaisesRegex(urllib.error.HTTPError, "401"):
            call("POST", f"{self.shop}/webhooks", {"data": {"attributes": {"externalId": "ana"}}})


if __name__ == "__main__":
    unittest.main()
