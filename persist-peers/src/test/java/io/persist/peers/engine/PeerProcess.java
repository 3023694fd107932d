package io.persist.peers.engine;

import io.persist.log.Durability;
import io.persist.peers.engine.all.Engines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM, with the flags of this one, that has an engine open. It ends with its standard input. */
public final class PeerProcess implements AutoCloseable {

    static final int MESSAGE_LENGTH = 120;

    private final Process process;
    private final BufferedReader answers;

    private PeerProcess(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Runs a class below a tracer, if there is one. */
    public static PeerProcess start(List<String> tracer, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(tracer);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.startsWith("-javaagent"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new PeerProcess(command);
    }

    public static EngineConfig config(Path directory, Durability durability, int producers) {
        return new EngineConfig(directory, durability, Space.PREPARED, MESSAGE_LENGTH, 1000, producers);
    }

    /** The next line that it prints; null if it has ended. */
    public String hear() throws IOException {
        return answers.readLine();
    }

    /** As kill -9 does; returns when the process is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    /** Appends the numbers from 0 on, as many as it is told, and then keeps the engine open. */
    public static final class Appending {

        public static void main(String[] arguments) throws IOException {
            EngineKind kind = Engines.byId(arguments[0]).orElseThrow();
            int count = Integer.parseInt(arguments[2]);
            try (Engine engine = kind.factory().open(config(Path.of(arguments[1]), Durability.BUFFERED, 1));
                    Producer producer = engine.producer()) {
                for (int number = 0; number < count; number++) {
                    producer.message().putLong(0, number);
                    producer.append();
                }
                engine.drain();
                System.out.println("READY");
                System.in.read();
            }
        }
    }

    /**
     * Opens one kind after the other at SYNCED and commits each message, between two marks: names of files that it
     * looks for.
     */
    public static final class Committing {

        public static final int COMMITS = 20;

        public static void main(String[] arguments) throws IOException {
            for (int i = 1; i < arguments.length; i++) {
                Path directory = Files.createDirectory(Path.of(arguments[0], arguments[i]));
                EngineKind kind = Engines.byId(arguments[i]).orElseThrow();
                try (Engine engine = kind.factory().open(config(directory, Durability.SYNCED, 1));
                        Producer producer = engine.producer()) {
                    commit(producer);
                    engine.drain();
                    Files.exists(Path.of("/begin-" + kind.id()));
                    commit(producer);
                    Files.exists(Path.of("/end-" + kind.id()));
                }
            }
            System.out.println("DONE");
        }

        private static void commit(Producer producer) throws IOException {
            for (int i = 0; i < COMMITS; i++) {
                producer.append();
                producer.commit();
            }
        }
    }
}
