package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM to talk to by lines: it has to end when its standard input does. It has no flag, or in a build, if it is a
 * {@linkplain #startBriefly brief} one, that its code is not made the best: by then it would be dead.
 */
public final class ChildJvm implements AutoCloseable {

    private static volatile String firstClasses = "";

    private final Process process;
    private final PrintStream questions;
    private final BufferedReader answers;

    private ChildJvm(ProcessBuilder command) throws IOException {
        process = command.start();
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Runs {@code main} with {@code arguments}. */
    public static ChildJvm start(Class<?> main, Object... arguments) throws IOException {
        return run(command(main, arguments));
    }

    /**
     * The same; what it writes to standard error goes to {@code errors}. It runs in the directory of that file, where it
     * leaves what a JVM writes when it dies of a signal.
     */
    public static ChildJvm startWithErrors(Path errors, Class<?> main, Object... arguments) throws IOException {
        return runWithErrors(errors, command(main, arguments));
    }

    /** The same for a command line. */
    public static ChildJvm runWithErrors(Path errors, List<String> command) throws IOException {
        return new ChildJvm(new ProcessBuilder(command)
                .directory(errors.getParent().toFile())
                .redirectError(errors.toFile()));
    }

    /** The same for one that does a little, or dies soon, and is not about what the JVM makes of the code. */
    public static ChildJvm startBriefly(Class<?> main, Object... arguments) throws IOException {
        return run(briefly(main, arguments));
    }

    /** The command that {@link #startBriefly} runs. */
    public static List<String> briefly(Class<?> main, Object... arguments) {
        List<String> command = command(main, arguments);
        command.addAll(1, brief());
        return command;
    }

    /** The same command with a heap of at most {@code maxHeap}, as {@code 24m}. */
    public static List<String> brieflyWithin(String maxHeap, Class<?> main, Object... arguments) {
        List<String> command = briefly(main, arguments);
        command.add(1, "-Xmx" + maxHeap);
        return command;
    }

    /** The flags of a brief one: none at night. */
    public static List<String> brief() {
        return Seeds.isNightly() ? List.of() : List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    }

    /** From now on each JVM takes the classes that are below {@code directory} from there. */
    public static void takeFirst(Path directory) {
        firstClasses = directory + File.pathSeparator;
    }

    /** The command that {@link #start} runs, to be put behind another one. */
    public static List<String> command(Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                firstClasses + System.getProperty("java.class.path"),
                main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return command;
    }

    /** Runs a command line, such as one that ends with {@link #command}. */
    public static ChildJvm run(List<String> command) throws IOException {
        return new ChildJvm(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    }

    /** What a command line prints to both streams until it ends, which it has to by then; {@code out} gets it. */
    public static String outputOf(Path out, Duration most, List<String> command)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS))
                    .as("has ended")
                    .isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        return Files.readString(out);
    }

    /** What the JVM's main reads: the lines that {@link #tell} wrote. */
    public static BufferedReader questions() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    public void tell(String line) {
        questions.println(line);
    }

    /** The next line that it prints; null if it is dead. */
    public String hear() throws IOException {
        return answers.readLine();
    }

    public String ask(String line) throws IOException {
        tell(line);
        return hear();
    }

    public long pid() {
        return process.pid();
    }

    /** As kill -9 does; returns when the process is gone. What it has said by then is still to be heard. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly(); // the Process would close its streams
        process.waitFor();
    }

    /** Returns the exit code once it has ended by itself. */
    public int awaitEnd() throws InterruptedException {
        questions.close();
        return process.waitFor();
    }

    @Override
    public void close() {
        questions.close();
        process.destroyForcibly();
    }
}
