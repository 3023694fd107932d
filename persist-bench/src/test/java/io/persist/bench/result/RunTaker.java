package io.persist.bench.result;

import io.persist.command.UsageException;
import io.persist.support.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Takes each output that it is told, gives it back, and answers "taken", or why it cannot. */
final class RunTaker {

    private RunTaker() {}

    /** One in a process of its own, which {@code command} runs. */
    static ChildJvm start(List<String> command) throws IOException {
        List<String> all = new ArrayList<>(ChildJvm.briefly(RunTaker.class));
        all.add(1, "-XX:-UsePerfData"); // a file that has a length
        all.addAll(0, command);
        return ChildJvm.run(all);
    }

    public static void main(String[] args) throws IOException {
        BufferedReader questions = ChildJvm.questions();
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            System.out.println(answer(Path.of(line)));
        }
    }

    private static String answer(Path output) {
        try (RunOutput taken = RunOutput.take("message", output, List.of(output))) {
            taken.clear();
        } catch (IOException | UsageException e) {
            return String.valueOf(e.getMessage());
        }
        return "taken";
    }
}
