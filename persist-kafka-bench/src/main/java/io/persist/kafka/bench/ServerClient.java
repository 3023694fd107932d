package io.persist.kafka.bench;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import io.persist.kafka.bench.server.RunResultJson;
import io.persist.kafka.bench.server.WorkflowServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Asks a server over HTTP. */
final class ServerClient {

    private static final Gson GSON = new Gson();
    private static final int OK = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    /** {@code address} is a host and a port. */
    ServerClient(String address) {
        this.address = address;
    }

    WorkflowServer.Status status() throws IOException, InterruptedException {
        return GSON.fromJson(text("/status"), WorkflowServer.Status.class);
    }

    RunResultJson result() throws IOException, InterruptedException {
        return GSON.fromJson(text("/result"), RunResultJson.class);
    }

    Map<String, Long> digest() throws IOException, InterruptedException {
        return GSON.fromJson(text("/digest"), new TypeToken<Map<String, Long>>() {}.getType());
    }

    /**
     * The answer as it is, JSON.
     *
     * @throws IOException if nobody answers, or the server cannot; the message says so
     */
    String text(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .timeout(PATIENCE)
                .build();
        HttpResponse<String> response;
        try {
            response = http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException("no server answers at " + address + "; start one, or name it with --server", e);
        }
        if (response.statusCode() != OK) {
            throw new IOException("the server at " + address + " cannot answer: " + response.body());
        }
        return response.body();
    }
}
