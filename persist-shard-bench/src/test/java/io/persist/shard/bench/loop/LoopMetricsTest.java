package io.persist.shard.bench.loop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.persist.shard.bench.place.Traffic;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopMetricsTest {

    private static final int PATIENCE_MS = 60_000;

    private static Socket send(HttpServer server, String request) throws Exception {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort());
        socket.setSoTimeout(PATIENCE_MS);
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return socket;
    }

    @Test
    void shouldAnswerWhileOthersHaveSentHalfOfARequest() throws Exception {
        HttpServer server = new LoopMetrics(List.of(), List.of(), new Traffic()).serve(0);
        List<Socket> half = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                half.add(send(server, "GET /metrics HTTP/1.1\r\nHost:"));
            }
            try (Socket whole = send(server, "GET /metrics HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n");
                    InputStream answer = whole.getInputStream()) {
                assertThat(new String(answer.readAllBytes(), US_ASCII))
                        .startsWith("HTTP/1.1 200 ")
                        .contains("persist_shard_blob_set_total 0\n");
            }
        } finally {
            server.stop(0);
            for (Socket socket : half) {
                socket.close();
            }
        }
    }
}
