package io.persist.peers.trial.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Another process with the same JVM, the same class path and the same flags as this one. */
public final class ChildJvm {

    private static final long LOOK_MS = 20;

    /** What keeps a JVM from starting, and what ends it, is told where errors are looked for. */
    private static final String TELL_ON_STANDARD_ERROR = "-XX:+DisplayVMOutputToStderr";

    private ChildJvm() {}

    /**
     * The flags of this JVM that children get too: all but agents, which belong to one process.
     *
     * @param heap the children's largest heap, as {@code -Xmx} takes it; empty for that of this JVM
     */
    public static List<String> flags(String heap) {
        List<String> flags = new ArrayList<>();
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            boolean replaced = !heap.isEmpty() && flag.startsWith("-Xmx");
            if (!replaced && !flag.startsWith("-agentlib") && !flag.startsWith("-javaagent")) {
                flags.add(flag);
            }
        }
        if (!heap.isEmpty()) {
            flags.add("-Xmx" + heap);
        }
        return flags;
    }

    /** Starts a main class whose standard output nobody reads, with its own file for errors. */
    public static Process startQuietly(Class<?> main, List<String> flags, Path errors, Path... arguments)
            throws IOException {
        return command(main, flags, arguments)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
    }

    /**
     * What starts a main class.
     *
     * @param classPath instead of this JVM's own
     */
    public static ProcessBuilder command(Class<?> main, String classPath, List<String> flags, Path... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(TELL_ON_STANDARD_ERROR);
        command.addAll(flags);
        command.add("-cp");
        command.add(classPath);
        command.add(main.getName());
        for (Path argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command);
    }

    /**
     * Starts a main class that belongs to the trial of this process, and has its standard error.
     *
     * @param directory of the trial, in which {@link StartedProcesses} finds it
     */
    public static Process start(Class<?> main, Path directory, Path... arguments) throws IOException {
        Process process = command(main, flags(""), arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            StartedProcesses.note(directory, process);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
        return process;
    }

    private static ProcessBuilder command(Class<?> main, List<String> flags, Path... arguments) {
        return command(main, classPath(), flags, arguments);
    }

    /** Of this JVM. */
    public static String classPath() {
        return System.getProperty("java.class.path", "." + File.pathSeparator);
    }

    /**
     * Waits until the process has ended well.
     *
     * @param errors where its standard error is
     * @param giveUp is asked again and again for a reason not to wait any longer, which is empty as long as there is
     *     none
     * @throws ChildFailure if there was a reason, or the process has failed
     */
    public static void awaitEnd(Process process, Path errors, Supplier<String> giveUp)
            throws IOException, InterruptedException, ChildFailure {
        while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
            String reason = giveUp.get();
            if (!reason.isEmpty()) {
                throw new ChildFailure(reason);
            }
        }
        if (process.exitValue() != 0) {
            throw ChildFailure.of(errors, process.exitValue());
        }
    }

    /** Waits for a line of standard output that begins so, and returns the rest of it; what comes later is dropped. */
    public static String awaitLine(Process process, String start) throws IOException, InterruptedException {
        InputStream output = process.getInputStream();
        BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && !line.startsWith(start)) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new IOException("the other process ended early: exit code " + process.waitFor());
        }
        Thread rest = new Thread(() -> drop(output), "output");
        rest.setDaemon(true);
        rest.start();
        return line.substring(start.length());
    }

    private static void drop(InputStream output) {
        try (output) {
            output.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The process has ended.
        }
    }
}
