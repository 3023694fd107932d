package io.persist.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.ResourceEstimator;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * A short run of every stress test, in this JVM: jcstress's own command line starts dozens of others. What that does
 * more, with all compilers against each other, is in {@link EveryCompilerTest}.
 */
class PairsTest {

    private static final int TIME_MS = 20;
    private static final int ITERATIONS = 1;
    private static final int MAX_FOOTPRINT_MIB = 32;
    private static final int STRIDE_SIZE = 128;
    private static final int STRIDE_COUNT = 16;

    private static long samples;
    private static final List<String> INTERESTING = new ArrayList<>();

    @TestFactory
    Stream<DynamicTest> shouldShowOnlyWhatIsAllowed() {
        return new TreeSet<>(TestList.tests())
                .stream().map(name -> DynamicTest.dynamicTest(name, () -> run(TestList.getInfo(name))));
    }

    @AfterAll
    static void sayHowMuch() {
        System.out.println("jcstress: " + TestList.tests().size() + " pairs, " + samples
                + " samples, negative controls that showed: " + INTERESTING);
    }

    private static void run(TestInfo test) throws Exception {
        Class<?> runner = Class.forName(test.generatedRunner());
        TestResult result =
                ((Runner<?>) runner.getConstructor(ForkedTestConfig.class).newInstance(config(test))).run();
        assertThat(result.status()).as(String.join("\n", result.getMessages())).isEqualTo(Status.NORMAL);
        List<String> forbidden = new ArrayList<>();
        for (String outcome : result.getStateKeys()) {
            StateCase expected = expected(test, outcome);
            long count = result.getCount(outcome);
            samples += count;
            if (expected.expect() == Expect.ACCEPTABLE_INTERESTING) {
                INTERESTING.add(test.name() + " " + count + " times");
            } else if (expected.expect() != Expect.ACCEPTABLE) {
                forbidden.add(outcome + " " + count + " times: " + expected.description());
            }
        }
        assertThat(forbidden).as(test.description()).isEmpty();
    }

    private static StateCase expected(TestInfo test, String outcome) {
        return test.cases().stream()
                .filter(expected -> expected.matches(outcome))
                .findFirst()
                .orElseGet(test::unmatched);
    }

    /** Leaves the number of states at a time as it is: to find out how many there can be takes longer than the test. */
    private static final class FixedConfig extends ForkedTestConfig {

        FixedConfig(DataInputStream in) throws IOException {
            super(in);
        }

        @Override
        public void adjustStrideCount(ResourceEstimator estimator) {}
    }

    /** As jcstress sends it to the JVMs that it starts; there is no other way to make one. */
    private static ForkedTestConfig config(TestInfo test) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(SpinLoopStyle.THREAD_YIELD.ordinal()); // the build may share its CPUs
        out.writeInt(TIME_MS);
        out.writeInt(ITERATIONS);
        out.writeUTF(test.generatedRunner());
        out.writeInt(MAX_FOOTPRINT_MIB);
        out.writeInt(STRIDE_SIZE);
        out.writeInt(STRIDE_COUNT);
        out.writeBoolean(false); // threads are not bound to CPUs
        return new FixedConfig(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }
}
