// Tillgate from Go 1.21 or newer, with nothing but the standard library. Copy this file and change it.
//
//	go run tillgate.go call PATH [BODY]    makes one signed call; BODY is sent exactly as it is given
//	go run tillgate.go payin               makes a whole pay-in in the sandbox
//	go run tillgate.go verify KEY [FILE]   verifies a callback: its headers, an empty line, its body (FILE or stdin).
//	                                       KEY is webhook (Standard Webhooks), or rsa or hmac (the x-access-… headers)
//	go run tillgate.go vectors FILE        checks this program against docs/signing-vectors.json
//
// Credentials come from .tillgate/sandbox.json, or from the file that TILLGATE_SANDBOX names. TILLGATE_ALGORITHM is
// RSA-SHA256 or HMAC-SHA512 (scheme 1), RSA-SHA256-V2 or HMAC-SHA512-V2 (scheme 2; the default is HMAC-SHA512-V2).
package main

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	attempts  = 3
	timeout   = 10 * time.Second
	tolerance = 300 // seconds
	patience  = 60 * time.Second
)

// Credentials is what .tillgate/sandbox.json holds.
type Credentials struct {
	BaseURL              string `json:"base_url"`
	MerchantID           string `json:"merchant_id"`
	ProjectID            string `json:"project_id"`
	RSAPrivateKeyPEM     string `json:"rsa_private_key_pem"`
	RSAAccessToken       string `json:"rsa_access_token"`
	HMACKeyID            string `json:"hmac_key_id"`
	HMACSecret           string `json:"hmac_secret"`
	CallbackPublicKeyPEM string `json:"callback_public_key_pem"`
	CallbackHMACSecret   string `json:"callback_hmac_secret"`
	WebhookSecret        string `json:"webhook_secret"`
}

// --- What is signed

// parse keeps numbers as they are written: a float would lose digits.
func parse(rawBody []byte) (any, error) {
	if !utf8.Valid(rawBody) {
		return nil, errors.New("the body is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(rawBody))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, errors.New("the body is not JSON")
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON")
	}
	return value, nil
}

var wholeNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// normalise is scheme 1: each leaf as path:to:it:value, sorted by UTF-16 code unit, joined by semicolons.
func normalise(value any) (string, error) {
	var lines []string
	var walk func(value any, path string) error
	walk = func(value any, path string) error {
		switch value := value.(type) {
		case map[string]any:
			for name, member := range value {
				if err := walk(member, path+name+":"); err != nil {
					return err
				}
			}
		case []any:
			for index, member := range value {
				if err := walk(member, path+strconv.Itoa(index)+":"); err != nil {
					return err
				}
			}
		case nil:
			lines = append(lines, path+"None")
		case bool:
			lines = append(lines, path+map[bool]string{true: "1", false: "0"}[value])
		case json.Number:
			if !wholeNumber.MatchString(value.String()) {
				return fmt.Errorf("%s is not a whole number", value)
			}
			lines = append(lines, path+value.String())
		case string:
			lines = append(lines, path+value)
		}
		return nil
	}
	if err := walk(value, ""); err != nil {
		return "", err
	}
	// Go compares bytes of UTF-8, which puts an emoji after U+FF5E. UTF-16 puts it before.
	slices.SortFunc(lines, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	return strings.Join(lines, ";"), nil
}

func messageOf(scheme int, method, path, timestamp string, rawBody []byte) (string, error) {
	if scheme == 2 {
		digest := sha256.Sum256(rawBody)
		return strings.Join([]string{method, path, timestamp, hex.EncodeToString(digest[:])}, "\n"), nil
	}
	value, err := parse(rawBody)
	if err != nil {
		return "", err
	}
	normalised, err := normalise(value)
	return base64.RawURLEncoding.EncodeToString([]byte(normalised)) + timestamp, err
}

func schemeOf(algorithm string) int {
	if strings.HasSuffix(algorithm, "-V2") {
		return 2
	}
	return 1
}

// --- Keys

// rsaDigest is what RSA signs. Scheme 1 signs the digest of the message, so SHA-256 runs twice.
func rsaDigest(scheme int, message string) []byte {
	digest := sha256.Sum256([]byte(message))
	if scheme == 1 {
		digest = sha256.Sum256(digest[:])
	}
	return digest[:]
}

func rsaSign(scheme int, message, keyPEM string) ([]byte, error) {
	block, _ := pem.Decode([]byte(keyPEM))
	if block == nil {
		return nil, errors.New("the private key is not PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the private key is not PKCS #8")
	}
	rsaKey, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("the private key is not RSA")
	}
	return rsa.SignPKCS1v15(rand.Reader, rsaKey, crypto.SHA256, rsaDigest(scheme, message))
}

func rsaVerifies(scheme int, message, keyPEM string, signature []byte) bool {
	block, _ := pem.Decode([]byte(keyPEM))
	if block == nil {
		return false
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	rsaKey, ok := key.(*rsa.PublicKey)
	return err == nil && ok && rsa.VerifyPKCS1v15(rsaKey, crypto.SHA256, rsaDigest(scheme, message), signature) == nil
}

func hmacSHA512(secret, message string) []byte {
	mac := hmac.New(sha512.New, []byte(secret))
	mac.Write([]byte(message))
	return mac.Sum(nil)
}

// decodeBase64URL takes one text for each value: padding, line ends, the other alphabet and spare bits are refused.
func decodeBase64URL(text string) ([]byte, error) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(data) == 0 || base64.RawURLEncoding.EncodeToString(data) != text {
		return nil, errors.New("the signature is not base64url without padding")
	}
	return data, nil
}

// --- Calls

func credentials() (keys Credentials, err error) {
	file := os.Getenv("TILLGATE_SANDBOX")
	if file == "" {
		file = ".tillgate/sandbox.json"
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &keys)
	}
	return keys, err
}

func signedHeaders(keys Credentials, path string, rawBody []byte, algorithm string, now time.Time) (http.Header, error) {
	scheme, timestamp := schemeOf(algorithm), strconv.FormatInt(now.Unix(), 10)
	message, err := messageOf(scheme, http.MethodPost, path, timestamp, rawBody)
	if err != nil {
		return nil, err
	}
	token, signature := keys.HMACKeyID, hmacSHA512(keys.HMACSecret, message)
	if strings.HasPrefix(algorithm, "RSA") {
		token = keys.RSAAccessToken
		if signature, err = rsaSign(scheme, message, keys.RSAPrivateKeyPEM); err != nil {
			return nil, err
		}
	}
	headers := http.Header{}
	headers.Set("content-type", "application/json")
	headers.Set("x-access-timestamp", timestamp)
	headers.Set("x-access-merchant-id", keys.MerchantID)
	headers.Set("x-access-token", token)
	headers.Set("x-access-merchant-algorithm", algorithm)
	headers.Set("x-access-signature", base64.RawURLEncoding.EncodeToString(signature))
	return headers, nil
}

// A signed call goes where it was signed for, or nowhere: redirects are not followed.
var client = &http.Client{
	Timeout:       timeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send makes one signed call. After silence, 429 or 5xx it sends the same bytes again, signed again: the service knows
// the payment by its payment_id, so repeating never pays twice. A new id would.
func send(path string, rawBody []byte) (status int, body []byte, err error) {
	keys, err := credentials()
	if err != nil {
		return 0, nil, err
	}
	algorithm := os.Getenv("TILLGATE_ALGORITHM")
	if algorithm == "" {
		algorithm = "HMAC-SHA512-V2"
	}
	for attempt := 1; ; attempt++ {
		wait := time.Second << (attempt - 1)
		status, body, wait, err = sendOnce(keys, path, rawBody, algorithm, wait)
		if attempt == attempts || (err == nil && status != http.StatusTooManyRequests && status < 500) {
			return status, body, err
		}
		time.Sleep(wait)
	}
}

func sendOnce(keys Credentials, path string, rawBody []byte, algorithm string, wait time.Duration) (int, []byte, time.Duration, error) {
	headers, err := signedHeaders(keys, path, rawBody, algorithm, time.Now())
	if err != nil {
		return 0, nil, wait, err
	}
	request, err := http.NewRequest(http.MethodPost, keys.BaseURL+path, bytes.NewReader(rawBody))
	if err != nil {
		return 0, nil, wait, err
	}
	request.Header = headers
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, wait, err
	}
	defer answer.Body.Close()
	if seconds, err := strconv.Atoi(answer.Header.Get("retry-after")); err == nil {
		wait = time.Duration(seconds) * time.Second
	}
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, body, wait, err
}

// Payment has the members that this program reads.
type Payment struct {
	Status      string `json:"status"`
	Code        string `json:"code"`
	Description string `json:"status_description"`
	Requisites  *struct {
		PAN    string `json:"pan"`
		Amount int64  `json:"amount"`
	} `json:"requisites"`
	Payment struct {
		Net int64 `json:"net"`
	} `json:"payment"`
}

func call(path string, body any) (payment Payment, err error) {
	rawBody, err := json.Marshal(body)
	if err != nil {
		return payment, err
	}
	status, answer, err := send(path, rawBody)
	if err != nil {
		return payment, err
	}
	if err := json.Unmarshal(answer, &payment); err != nil {
		return payment, fmt.Errorf("%s: %d, and the answer is not JSON", path, status)
	}
	if status != http.StatusOK {
		return payment, fmt.Errorf("%s: %d %s: %s", path, status, payment.Code, payment.Description)
	}
	return payment, nil
}

// --- Callbacks

// Callback has the members that this program reads.
type Callback struct {
	ProjectID string `json:"project_id"`
	General   struct {
		PaymentID string `json:"payment_id"`
	} `json:"general"`
	Status struct {
		Status string `json:"status"`
	} `json:"status"`
}

// verifyWebhook goes by the Standard Webhooks signature, which covers the bytes of the body: prefer it.
func verifyWebhook(headers map[string]string, rawBody []byte, secret string, now time.Time) (callback Callback, err error) {
	timestamp := headers["webhook-timestamp"]
	if err := requireFresh(timestamp, now); err != nil {
		return callback, err
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return callback, errors.New("the webhook secret is not whsec_ and base64")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(headers["webhook-id"] + "." + timestamp + "."))
	mac.Write(rawBody)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	fits := false
	// There are two entries while the secret is being replaced.
	for _, entry := range strings.Split(headers["webhook-signature"], " ") {
		fits = hmac.Equal([]byte(entry), []byte(expected)) || fits
	}
	if !fits {
		return callback, errors.New("no signature fits")
	}
	return callback, json.Unmarshal(rawBody, &callback)
}

// verifyCallback goes by the x-access-… headers (scheme 1). The key is the one you were given; x-access-token is not
// looked at.
func verifyCallback(headers map[string]string, rawBody []byte, kind string, keys Credentials, now time.Time) (callback Callback, err error) {
	timestamp := headers["x-access-timestamp"]
	if err := requireFresh(timestamp, now); err != nil {
		return callback, err
	}
	expected := map[string]string{"rsa": "RSA-SHA256", "hmac": "HMAC-SHA512"}[kind]
	if algorithm, given := headers["x-access-merchant-algorithm"]; expected != algorithm && (given || kind != "rsa") {
		return callback, fmt.Errorf("the callback is not signed with %s", expected)
	}
	message, err := messageOf(1, http.MethodPost, "", timestamp, rawBody)
	if err != nil {
		return callback, err
	}
	fits := false
	for _, name := range []string{"x-access-signature", "x-access-signature-next"} {
		text, given := headers[name]
		if !given && name != "x-access-signature" {
			continue
		}
		signature, err := decodeBase64URL(text)
		if err != nil {
			return callback, err
		}
		if kind == "rsa" {
			fits = rsaVerifies(1, message, keys.CallbackPublicKeyPEM, signature) || fits
		} else {
			fits = hmac.Equal(hmacSHA512(keys.CallbackHMACSecret, message), signature) || fits
		}
	}
	if !fits {
		return callback, errors.New("no signature fits")
	}
	if err := requireOneReading(rawBody); err != nil {
		return callback, err
	}
	if err := json.Unmarshal(rawBody, &callback); err != nil {
		return callback, err
	}
	// The service signs for all its merchants with one RSA key: without this, another merchant's callback would pass.
	if callback.ProjectID != keys.ProjectID {
		return callback, errors.New("the callback is of another project")
	}
	return callback, nil
}

func requireFresh(timestamp string, now time.Time) error {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || len(timestamp) != 10 || seconds < 0 {
		return errors.New("the timestamp is not Unix time in seconds")
	}
	if away := now.Unix() - seconds; away > tolerance || away < -tolerance {
		return fmt.Errorf("the timestamp is more than %d s away", tolerance)
	}
	return nil
}

var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// requireOneReading: scheme 1 signs text, so one signature fits several bodies. What only a forger would send is refused.
func requireOneReading(rawBody []byte) error {
	value, err := parse(rawBody)
	body, ok := value.(map[string]any)
	if err != nil || !ok {
		return errors.New("the body is not an object")
	}
	names := []string{"project_id", "general", "status", "payment_info", "requisites", "integration", "event"}
	for name := range body {
		names = append(names, name)
	}
	status, ok := body["status"].(map[string]any)
	if !ok {
		return errors.New("the status is not an object")
	}
	for _, member := range status {
		if member == "None" {
			return errors.New("a null is written as text")
		}
	}
	return refuseForgeries(body, names)
}

func refuseForgeries(value any, names []string) error {
	var members []any
	switch value := value.(type) {
	case string:
		for _, name := range names {
			if strings.Contains(value, ";"+name+":") {
				return errors.New("a string reads like further members")
			}
		}
	case map[string]any:
		for name, member := range value {
			if !plainWord.MatchString(name) {
				return errors.New("a name is not a plain word")
			}
			members = append(members, member)
		}
	case []any:
		members = value
	}
	for _, member := range members {
		if err := refuseForgeries(member, names); err != nil {
			return err
		}
	}
	return nil
}

var emptyLine = regexp.MustCompile(`\r?\n\r?\n`)

// readMessage splits headers from the body at the first empty line; the body stays as it is, byte for byte.
func readMessage(data []byte) (map[string]string, []byte, error) {
	gap := emptyLine.FindIndex(data)
	if gap == nil {
		return nil, nil, errors.New("there is no empty line between the headers and the body")
	}
	headers := map[string]string{}
	for _, line := range strings.Split(string(data[:gap[0]]), "\n") {
		name, value, _ := strings.Cut(line, ":")
		name = strings.ToLower(name)
		if _, known := headers[name]; known {
			return nil, nil, fmt.Errorf("the header %s is there twice", name)
		}
		headers[name] = strings.TrimSpace(value)
	}
	return headers, data[gap[1]:], nil
}

// --- Commands

func commandCall(path, body string) error {
	if body == "" {
		keys, err := credentials()
		if err != nil {
			return err
		}
		body = fmt.Sprintf(`{"general":{"project_id":%q}}`, keys.ProjectID)
	}
	status, answer, err := send(path, []byte(body))
	if err != nil {
		return err
	}
	fmt.Println(string(answer))
	if status != http.StatusOK {
		return fmt.Errorf("HTTP %d", status)
	}
	return nil
}

func commandPayin() error {
	keys, err := credentials()
	if err != nil {
		return err
	}
	paymentID := fmt.Sprintf("go-%d", time.Now().UnixNano()) // your own id: keep it before you send it
	general := map[string]any{"project_id": keys.ProjectID, "payment_id": paymentID}
	_, err = call("/api/v1/payment/p2p/payin", map[string]any{
		"general":  general,
		"payment":  map[string]any{"method": "card-p2p", "amount": 250000, "currency": "RUB"}, // 2,500.00 roubles
		"customer": map[string]any{"id": "customer-1", "ip_address": "192.0.2.1"},
	})
	if err != nil {
		return err
	}
	payment := map[string]any{"general": general}
	asked, err := until(payment, func(found Payment) bool { return found.Requisites != nil })
	if err != nil {
		return err
	}
	fmt.Printf("The payer sends %d to %s\n", asked.Requisites.Amount, asked.Requisites.PAN)
	if _, err = call("/api/v1/payment/p2p/payin/confirm", payment); err != nil { // the payer says that it is done
		return err
	}
	paid, err := until(payment, func(found Payment) bool { return found.Status == "success" || found.Status == "decline" })
	if err != nil {
		return err
	}
	fmt.Printf("Pay-in %s: %s, and %d of it is ours\n", paymentID, paid.Status, paid.Payment.Net)
	if paid.Status != "success" {
		return errors.New("the pay-in was not paid")
	}
	return nil
}

// until asks again and again. A shop waits for the callback instead.
func until(payment any, isEnough func(Payment) bool) (found Payment, err error) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		if found, err = call("/api/v1/payment/p2p/payin/info", payment); err != nil || isEnough(found) {
			return found, err
		}
	}
	return found, fmt.Errorf("nothing happened for %s", patience)
}

func commandVerify(kind, file string) error {
	data, err := io.ReadAll(os.Stdin)
	if file != "" {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return err
	}
	keys, err := credentials()
	if err != nil {
		return err
	}
	headers, rawBody, err := readMessage(data)
	if err != nil {
		return err
	}
	var callback Callback
	switch kind {
	case "webhook":
		callback, err = verifyWebhook(headers, rawBody, keys.WebhookSecret, time.Now())
	case "rsa", "hmac":
		callback, err = verifyCallback(headers, rawBody, kind, keys, time.Now())
	default:
		err = errors.New("KEY is webhook, rsa or hmac")
	}
	if err == nil {
		fmt.Printf("Verified: %s %s\n", callback.General.PaymentID, callback.Status.Status)
	}
	return err
}

// Vectors is what docs/signing-vectors.json holds.
type Vectors struct {
	RSA struct {
		PublicKeyPEM string `json:"public_key_pem"`
	} `json:"rsa"`
	HMAC struct {
		Secret string `json:"secret"`
	} `json:"hmac"`
	Vectors []Vector `json:"vectors"`
}

type Vector struct {
	Name, Algorithm, Method, Path, Body, Message, Signature string
	Valid                                                   bool
	Scheme                                                  int
	Timestamp                                               json.Number
}

func (vector Vector) isAccepted(file Vectors) bool {
	signature, err := decodeBase64URL(vector.Signature)
	if err != nil {
		return false
	}
	if strings.HasPrefix(vector.Algorithm, "RSA") {
		return rsaVerifies(vector.Scheme, vector.Message, file.RSA.PublicKeyPEM, signature)
	}
	return hmac.Equal(hmacSHA512(file.HMAC.Secret, vector.Message), signature)
}

func commandVectors(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var file Vectors
	if err := json.Unmarshal(data, &file); err != nil {
		return err
	}
	counts, wrong := map[bool]int{}, 0
	for _, vector := range file.Vectors {
		message, err := messageOf(vector.Scheme, vector.Method, vector.Path, vector.Timestamp.String(), []byte(vector.Body))
		reproduced := err == nil && message == vector.Message
		accepted := reproduced && vector.isAccepted(file)
		if !reproduced || accepted != vector.Valid {
			wrong++
			fmt.Fprintf(os.Stderr, "WRONG %s: %s\n", vector.Algorithm, vector.Name)
		}
		counts[accepted]++
	}
	fmt.Printf("%d vectors: %d accepted, %d refused, %d wrong\n", len(file.Vectors), counts[true], counts[false], wrong)
	if wrong > 0 {
		return errors.New("this program does not sign as the vectors do")
	}
	return nil
}

func main() {
	arguments := append(os.Args[1:], "", "", "")
	var err error
	switch command := arguments[0]; {
	case command == "call" && arguments[1] != "":
		err = commandCall(arguments[1], arguments[2])
	case command == "payin":
		err = commandPayin()
	case command == "verify" && arguments[1] != "":
		err = commandVerify(arguments[1], arguments[2])
	case command == "vectors" && arguments[1] != "":
		err = commandVectors(arguments[1])
	default:
		err = errors.New("usage: see the first lines of tillgate.go")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "Refused:", err)
		os.Exit(1)
	}
}
