package io.persist.kafka.bench.server;

import com.google.gson.Gson;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.persist.event.Notices;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * The process of a {@link WorkflowServer}. It says on standard output which port it has and when it executes commands,
 * and lives until standard input ends; it closes its store if it reads {@link #CLOSE} there.
 */
public final class ServerMain {

    public static final String PORT = "port ";
    public static final String RUNNING = "running";
    public static final String FAILED = "failed: ";
    public static final String CLOSE = "close";

    private static final Gson GSON = new Gson();
    private static final int OK = 200;
    private static final int NOT_READY = 503;

    private ServerMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Notices.off();
        ServerSpec spec = GSON.fromJson(args[0], ServerSpec.class);
        WorkflowServer server = new WorkflowServer(spec);
        HttpServer http = serve(server, spec.port());
        say(PORT + http.getAddress().getPort());
        server.start();
        server.awaitRunning();
        String failure = server.status().failure();
        say(failure.isEmpty() ? RUNNING : FAILED + failure);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = input.readLine();
        if (CLOSE.equals(line)) {
            server.close();
        }
        Runtime.getRuntime().halt(0);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Answers on this machine alone. */
    public static HttpServer serve(WorkflowServer server, int port) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        answer(http, "/status", query -> server.status());
        answer(http, "/result", query -> server.result());
        answer(http, "/digest", query -> server.digest());
        answer(http, "/storeMetrics", query -> server.storeMetrics());
        answer(http, "/workflowMetrics", query -> server.windows(query == null ? 0 : Integer.parseInt(query)));
        http.start();
        return http;
    }

    private static void answer(HttpServer http, String path, Function<String, Object> answer) {
        http.createContext(path, exchange -> {
            try (exchange) {
                send(exchange, answer);
            }
        });
    }

    private static void send(HttpExchange exchange, Function<String, Object> answer) throws IOException {
        int code = OK;
        String text;
        try {
            text = GSON.toJson(answer.apply(exchange.getRequestURI().getQuery()));
        } catch (RuntimeException e) { // a rebalance is under way, so there is no store to be asked
            code = NOT_READY;
            text = String.valueOf(e.getMessage());
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
