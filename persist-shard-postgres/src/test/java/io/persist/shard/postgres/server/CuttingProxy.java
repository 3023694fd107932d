package io.persist.shard.postgres.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Stands between clients and a server of this machine, and cuts a connection at the request that a test names. */
public final class CuttingProxy implements AutoCloseable {

    /** Where a connection is cut. */
    public enum Cut {
        /** The server does not see the request. */
        BEFORE_REQUEST,
        /** The server has done what was asked, and the client does not see the answer. */
        BEFORE_ANSWER,
        /** The server does not see the request, and the client hears nothing. */
        SILENCE
    }

    /** The message behind which a client waits. */
    private static final String SYNC = "S\0\0\0\4";

    /** The field of an answer that has the severity in the server's language, and the same in about another one. */
    private static final String ERROR = "SERROR\0";

    private static final String ERROR_ELSEWHERE = "SFEHLR\0";

    private final ServerSocket clients;
    private final int serverPort;
    private final Map<String, Cut> plans = new ConcurrentHashMap<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();
    private volatile boolean isTranslating;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** A proxy of the server at {@code serverPort} of the loopback. */
    public CuttingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.clients = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        start(this::accept);
    }

    /** The port for clients. */
    public int port() {
        return clients.getLocalPort();
    }

    /** Cuts once, at the next request that has {@code text} in it. There may be several such plans. */
    public void cut(Cut cut, String text) {
        plans.put(text, cut);
    }

    /** From now on the server's word for an error is one of another language, as its setting lc_messages can have it. */
    public void translateErrors() {
        isTranslating = true;
    }

    /** How often a connection was cut by plan. */
    public int cuts() {
        return cuts.get();
    }

    /** How often a client has waited for an answer of PostgreSQL's extended protocol. */
    public int questions() {
        return questions.get();
    }

    /** Cuts all connections. */
    public void cutAll() {
        open.forEach(CuttingProxy::closeQuietly);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = clients.accept();
            Socket server = new Socket(InetAddress.getByName("127.0.0.1"), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open.add(client);
            open.add(server);
            AtomicReference<Cut> here = new AtomicReference<>();
            start(() -> requests(client, server, here));
            start(() -> answers(client, server, here));
        }
    }

    private void requests(Socket client, Socket server, AtomicReference<Cut> here) throws IOException {
        byte[] bytes = new byte[1 << 20];
        try (client;
                server) {
            InputStream from = client.getInputStream();
            OutputStream to = server.getOutputStream();
            int count = from.read(bytes);
            while (count >= 0) {
                String request = new String(bytes, 0, count, ISO_8859_1);
                if (request.endsWith(SYNC)) {
                    questions.incrementAndGet();
                }
                Cut planned = takePlan(request);
                if (planned != null) {
                    here.set(planned);
                    cuts.incrementAndGet();
                }
                if (here.get() == Cut.BEFORE_REQUEST) {
                    return;
                }
                if (here.get() != Cut.SILENCE) {
                    to.write(bytes, 0, count);
                }
                count = from.read(bytes);
            }
        }
    }

    private Cut takePlan(String request) {
        for (String text : plans.keySet()) {
            Cut planned = request.contains(text) ? plans.remove(text) : null;
            if (planned != null) {
                return planned;
            }
        }
        return null;
    }

    private void answers(Socket client, Socket server, AtomicReference<Cut> here) throws IOException {
        byte[] bytes = new byte[1 << 16];
        try (client;
                server) {
            int count = server.getInputStream().read(bytes);
            while (count >= 0) {
                if (here.get() == Cut.BEFORE_ANSWER) {
                    return;
                }
                String answer = new String(bytes, 0, count, ISO_8859_1);
                String told = isTranslating ? answer.replace(ERROR, ERROR_ELSEWHERE) : answer;
                client.getOutputStream().write(told.getBytes(ISO_8859_1));
                count = server.getInputStream().read(bytes);
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException closed) {
                        // by one of both ends, or by the test
                    }
                },
                "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // it is
        }
    }

    @Override
    public void close() throws IOException {
        clients.close();
        cutAll();
    }
}
