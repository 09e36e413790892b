<?php

/** Tests the shop against a payment service that runs beside it: `php test_shop.php`. */

declare(strict_types=1);

/** Starts a program, and stops it with its children when the tests end. */
function start(array $command, array $environment = []): array
{
    // setsid gives it a group of its own, because the signal is for the children of npx and sh, too.
    $pipes = [];
    $process = proc_open(['setsid', ...$command], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes, __DIR__, $environment + getenv());
    register_shutdown_function(function () use ($process) {
        posix_kill(-proc_get_status($process)['pid'], SIGTERM);
        proc_close($process);
    });
    return $pipes;
}

/** Sends JSON, and returns the JSON of the answer. */
function call(string $method, string $url, ?array $body = null, string $token = ''): array
{
    $http = ['method' => $method, 'header' => ['Content-Type: application/json', "Authorization: Bearer $token"], 'timeout' => 60];
    if ($body !== null) {
        $http['content'] = json_encode((object) $body);
    }
    $answer = file_get_contents($url, false, stream_context_create(['http' => $http]));
    return json_decode((string) $answer, true) ?? [];
}

function expectSame(mixed $expected, mixed $value): void
{
    if ($value !== $expected) {
        throw new RuntimeException('Expected ' . var_export($expected, true) . ', and got ' . var_export($value, true));
    }
}

set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));

['1' => $printed] = start(['npx', 'centavo', 'serve', '--port', '0', '--json']);
['url' => $url, 'controlToken' => $token] = json_decode((string) fgets($printed), true);

// Each test has a world of its own: its own payments, credentials and time, which only the test moves.
$address = "$url/_centavo/worlds/" . bin2hex(random_bytes(8));
$world = call('PUT', $address, [], $token);
$control = fn (string $method, string $path, ?array $body = null) => call($method, $world['controlUrl'] . $path, $body, $token);

$store = tempnam(sys_get_temp_dir(), 'shop');
register_shutdown_function(unlink(...), $store);
['2' => $log] = start(['php', '-S', '127.0.0.1:0', 'shop.php'], [
    'PAYMENTS_URL' => $world['baseUrl'],
    'PAYMENTS_CLIENT_ID' => $world['credentials']['clientId'],
    'PAYMENTS_CLIENT_SECRET' => $world['credentials']['clientSecret'],
    'PAYMENTS_WEBHOOK_SECRET' => $world['credentials']['webhookSecret'],
    'SHOP_STORE' => $store,
]);
preg_match('/\((http:[^)]+)\) started/', (string) fgets($log), $found);
$shop = $found[1];
// What the shop has learned from events.
$membership = fn () => call('GET', "$shop/memberships/ana");

call('POST', "$shop/memberships/ana", ['card' => 'pm_card_approved']);
$control('POST', '/clock/settle', []);
expectSame('active', $membership()['status']);

// A month later, the bank declines the renewal.
$control('POST', '/faults', ['kind' => 'processor.decline', 'code' => 'insufficient_funds', 'times' => 1]);
$control('POST', '/clock/advance', ['duration' => '1 month']);
expectSame('past_due', $membership()['status']);

// Another card pays.
call('PUT', "$shop/memberships/ana/card", ['card' => 'pm_card_approved']);
['now' => $now] = $control('POST', '/clock/settle', []);
expectSame('active', $membership()['status']);
expectSame(true, $membership()['paid_until'] > $now);
expectSame([], $control('GET', '/webhooks/failures')['failures']);
echo "✓ a declined renewal makes a membership past due until another card pays\n";

$forged = stream_context_create(['http' => ['method' => 'POST', 'header' => 'Content-Type: application/json', 'content' => '{}', 'ignore_errors' => true]]);
file_get_contents("$shop/webhooks", false, $forged);
expectSame('HTTP/1.1 401 Unauthorized', $http_response_header[0]);
echo "✓ an event that nobody signed is refused\n";

call('DELETE', $address, null, $token);
