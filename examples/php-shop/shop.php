<?php

/**
 * A small shop that sells memberships. It takes payments through the payment service, and needs PHP 8.1 and no package:
 * `php -S 127.0.0.1:3000 shop.php`.
 */

declare(strict_types=1);

/** The payment service refused a call, or did not answer. */
class PaymentsFailed extends RuntimeException
{
}

/** Calls the payment service. Each call has an idempotency key, so it is safe to make it again when no answer comes. */
class Payments
{
    private ?string $token = null;

    public function __construct(private string $baseUrl, private string $clientId, private string $clientSecret)
    {
    }

    /** Returns the data of the answer. */
    public function call(string $method, string $path, array $body = [], ?string $key = null): array
    {
        $key ??= bin2hex(random_bytes(16));
        for ($tries = 1;; $tries++) {
            $this->token ??= $this->logIn();
            $headers = ["Authorization: Bearer $this->token", "Idempotency-Key: $key", 'Content-Type: application/json'];
            [$status, $answer] = $this->send($method, $path, $headers, json_encode((object) $body));
            // 402 says that the card was declined, or that the bank wants to see the customer.
            if (($status >= 200 && $status < 400) || $status === 402) {
                return $answer['data'] ?? $answer;
            }
            if ($status === 401) {
                $this->token = null;
            }
            $mayPass = $status === 0 || $status === 401 || $status === 429 || $status >= 500;
            if ($tries === 3 || !$mayPass) {
                throw new PaymentsFailed("$method $path: status $status");
            }
            sleep(1);
        }
    }

    private function logIn(): string
    {
        $form = http_build_query([
            'grant_type' => 'client_credentials',
            'client_id' => $this->clientId,
            'client_secret' => $this->clientSecret,
        ]);
        [$status, $answer] = $this->send('POST', '/oauth', ['Content-Type: application/x-www-form-urlencoded'], $form);
        return $answer['access_token'] ?? throw new PaymentsFailed("The login failed with status $status");
    }

    /** Returns the status and the JSON of the answer; 0 when no answer comes. */
    private function send(string $method, string $path, array $headers, string $body): array
    {
        $options = ['method' => $method, 'header' => $headers, 'timeout' => 30, 'ignore_errors' => true];
        if ($method !== 'GET') {
            $options['content'] = $body;
        }
        $answer = @file_get_contents($this->baseUrl . $path, false, stream_context_create(['http' => $options]));
        $status = $answer === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
        return [$status, json_decode((string) $answer, true) ?? []];
    }
}

/** Keeps memberships in a file, which one request at a time may change. A real shop has a database here. */
class Store
{
    public function __construct(private string $path)
    {
    }

    /** Lets a function change the memberships, and returns what it returns. */
    public function change(callable $act): mixed
    {
        $file = fopen($this->path, 'c+') ?: throw new RuntimeException("The file $this->path cannot be opened");
        try {
            flock($file, LOCK_EX);
            $memberships = json_decode((string) stream_get_contents($file), true) ?? [];
            $result = $act($memberships);
            rewind($file);
            fwrite($file, json_encode((object) $memberships));
            ftruncate($file, (int) ftell($file));
            return $result;
        } finally {
            fclose($file);
        }
    }

    public function find(string $id): ?array
    {
        return $this->change(fn (array &$memberships) => $memberships[$id] ?? null);
    }

    public function ids(): array
    {
        return array_keys($this->change(fn (array &$memberships) => $memberships));
    }
}

/** Believes no event, but what the service says when it asks. */
class Shop
{
    public function __construct(private Payments $payments, private Store $store, private string $url)
    {
    }

    public function join(string $id, string $card): array
    {
        $this->store->change(function (array &$memberships) use ($id) {
            $memberships[$id] ??= ['id' => $id, 'status' => 'incomplete', 'subscription' => null, 'paid_until' => null];
        });
        $terms = ['name' => 'reader', 'amount' => 19_900, 'interval' => 'month'];
        $plan = $this->payments->call('POST', '/api/subscription/plans', $terms, 'reader');
        $contract = [
            'planId' => $plan['id'],
            'externalId' => $id,
            'contact' => ['name' => 'Ana Cruz', 'email' => 'ana@customer.example'],
            'returnUrl' => "$this->url/memberships/$id",
            'webhookUrl' => "$this->url/webhooks",
        ];
        $subscription = $this->payments->call('POST', '/api/subscription/initiate', $contract, $id)['id'];
        $membership = $this->store->change(function (array &$memberships) use ($id, $subscription) {
            $memberships[$id]['subscription'] = $subscription;
            return $memberships[$id];
        });
        return $this->pay($membership, $card);
    }

    /** Pays what is owed with a card. The answer may lead the customer to the bank. */
    public function pay(array $membership, string $card): array
    {
        ['status' => $status, 'subscription' => $subscription] = $membership;
        if ($status === 'incomplete') {
            $payment = ['subscriptionId' => $subscription, 'paymentMethodId' => $card];
            return $this->payments->call('POST', '/api/subscription/process-payment', $payment);
        }
        $path = "/api/subscription/$subscription/payment-method";
        return $this->payments->call('PATCH', $path, ['paymentMethodId' => $card]);
    }

    /** Asks the service about a membership. */
    public function refresh(string $id): void
    {
        // One question at a time, because answers overtake each other.
        $this->store->change(function (array &$memberships) use ($id) {
            if (!isset($memberships[$id]['subscription'])) {
                return;
            }
            $subscription = $this->payments->call('GET', "/api/subscription/{$memberships[$id]['subscription']}");
            $memberships[$id]['status'] = $subscription['status'];
            if ($subscription['latestInvoice']['status'] === 'paid') {
                $memberships[$id]['paid_until'] = $subscription['latestInvoice']['periodEnd'];
            }
        });
    }
}

/**
 * Whether the service sent this body within five minutes.
 * The header is `t=<seconds>,te=<hex>,li=<hex>`: an HMAC-SHA-256 over `<t>.<body>`.
 */
function isGenuine(string $header, string $body, string $secret): bool
{
    parse_str(strtr($header, ',', '&'), $parts);
    $stamp = $parts['t'] ?? '';
    if (!is_string($stamp) || !ctype_digit($stamp) || abs(time() - (int) $stamp) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', "$stamp.$body", $secret);
    foreach (['te', 'li'] as $name) {
        if (is_string($parts[$name] ?? null) && hash_equals($expected, $parts[$name])) {
            return true;
        }
    }
    return false;
}

/** Returns the id of the membership that an event is about, if it is about one. */
function membershipOf(string $body): ?string
{
    $id = json_decode($body, true)['data']['attributes']['externalId'] ?? null;
    return is_string($id) ? $id : null;
}

/** Returns the status and the answer to a request. */
function answerTo(string $method, string $path, string $body): array
{
    $payments = new Payments(getenv('PAYMENTS_URL'), getenv('PAYMENTS_CLIENT_ID'), getenv('PAYMENTS_CLIENT_SECRET'));
    $store = new Store(getenv('SHOP_STORE') ?: 'memberships.json');
    $shop = new Shop($payments, $store, "http://127.0.0.1:{$_SERVER['SERVER_PORT']}");
    if ($method === 'POST' && $path === '/webhooks') {
        if (!isGenuine($_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '', $body, getenv('PAYMENTS_WEBHOOK_SECRET'))) {
            return [401, ['problem' => 'The signature is wrong']];
        }
        $id = membershipOf($body);
        if ($id !== null) {
            $shop->refresh($id);
        }
        return [200, []];
    }
    // For a timer, because an event may never come.
    if ($method === 'POST' && $path === '/jobs/refresh') {
        foreach ($store->ids() as $id) {
            $shop->refresh((string) $id);
        }
        return [200, []];
    }
    [, $resource, $id, $part] = [...explode('/', $path), '', ''];
    $card = json_decode($body, true)['card'] ?? '';
    if ($resource === 'memberships' && $id !== '') {
        if ($method === 'POST') {
            return [201, $shop->join($id, $card)];
        }
        $membership = $store->find($id);
        if ($membership !== null && $method === 'GET') {
            return [200, $membership];
        }
        if ($membership !== null && $method === 'PUT' && $part === 'card') {
            return [200, $shop->pay($membership, $card)];
        }
    }
    return [404, ['problem' => 'There is nothing at this address']];
}

try {
    [$status, $answer] = answerTo($_SERVER['REQUEST_METHOD'], parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), file_get_contents('php://input'));
} catch (PaymentsFailed $error) {
    [$status, $answer] = [502, ['problem' => $error->getMessage()]];
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode((object) $answer);
