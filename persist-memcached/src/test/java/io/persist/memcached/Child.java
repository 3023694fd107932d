package io.persist.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program in a JVM of its own, and a client's socket to it. */
final class Child implements AutoCloseable {

    final Process process;
    final int port;
    final String ready;

    private Child(Process process, int port, String ready) {
        this.process = process;
        this.port = port;
        this.ready = ready;
    }

    static Process begin(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                MemcachedProgram.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder.start();
    }

    /** Starts it on a free port, and waits until it is ready. */
    static Child start(Path data, String mode) throws IOException {
        Process process = begin("--port", "0", "--mode", mode, "--data", data.toString());
        BufferedReader said = process.inputReader();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("ready on 127.0.0.1:")) {
                String port = line.substring(line.indexOf(':') + 1, line.indexOf(" with"));
                return new Child(process, Integer.parseInt(port), line);
            }
        }
        throw new IOException("it ended by itself");
    }

    Client client() throws IOException {
        return new Client(port);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Sends text and reads lines. */
    static final class Client implements AutoCloseable {

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Client(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(60_000);
            in = new java.io.BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        void send(String text) throws IOException {
            out.write(text.getBytes(ISO_8859_1));
        }

        /** The next line without its end; null if the server has closed the connection. */
        String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    assertThat(line).endsWith("\r");
                    return line.substring(0, line.length() - 1);
                }
                line.append((char) next);
            }
            return null;
        }

        String ask(String command) throws IOException {
            send(command + "\r\n");
            return line();
        }

        void endOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
